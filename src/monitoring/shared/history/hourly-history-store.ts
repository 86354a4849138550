import type { Database } from '../../../db/engines/database.ts';
import { parseJson } from '../../../db/parse-json.ts';
import type { PeriodicJob } from '../../../jobs/job-kind.ts';
import type { Period } from '../../../time/periods.ts';
import { dayMs } from '../../../time/units.ts';
import { coversWeekBefore, hourlyMeans, type StoredHistory } from './hourly-history.ts';

export type HourlyHistoryStore = ReturnType<typeof createHourlyHistoryStore>;

/** The stored histories of one workspace. */
export interface TeamHistory {
  find(vps: string): Promise<StoredHistory | undefined>;
  save(vps: string, kept: StoredHistory): Promise<void>;
}

/**
 * A history that no report has extended for this long is deleted, because its VPS was deleted or is
 * no longer reported.
 */
const retentionMs = 30 * dayMs;

/** Stores hourly means of each VPS, so that daily reports don't have to read the week before every day. */
export function createHourlyHistoryStore(db: Database) {
  return {
    forTeam(teamId: string): TeamHistory {
      return {
        async find(vps) {
          const row = await db
            .selectFrom('vps_hourly_stats')
            .selectAll()
            .where('team_id', '=', teamId)
            .where('vps', '=', vps)
            .executeTakeFirst();
          const read = row && parseJson(hourlyMeans, row.hourly_stats);
          return read && { fromMs: row.from_at, untilMs: row.until_at, hourlyMeans: read };
        },

        async save(vps, kept) {
          const values = {
            from_at: kept.fromMs,
            until_at: kept.untilMs,
            hourly_stats: JSON.stringify(kept.hourlyMeans),
          };
          await db
            .insertInto('vps_hourly_stats')
            .values({ team_id: teamId, vps, ...values })
            .onConflict((conflict) => conflict.columns(['team_id', 'vps']).doUpdateSet(values))
            .execute();
        },
      };
    },

    /** Returns a function that says whether the week before a period is stored for a VPS. */
    async findCovered(teamId: string, period: Period): Promise<(vps: string) => boolean> {
      const rows = await db
        .selectFrom('vps_hourly_stats')
        .select(['vps', 'from_at', 'until_at'])
        .where('team_id', '=', teamId)
        .execute();
      const reaching = rows.filter((row) =>
        coversWeekBefore({ fromMs: row.from_at, untilMs: row.until_at }, period),
      );
      const names = new Set(reaching.map(({ vps }) => vps));
      return (vps) => names.has(vps);
    },

    async deleteExpired(nowMs: number): Promise<void> {
      await db
        .deleteFrom('vps_hourly_stats')
        .where('until_at', '<', nowMs - retentionMs)
        .execute();
    },
  };
}

/** Creates the daily job that deletes histories that no report has extended for 30 days. */
export function createHourlyHistoryPurge({
  deleteExpired,
}: Pick<HourlyHistoryStore, 'deleteExpired'>): PeriodicJob {
  return {
    name: 'hourly-history-purge',
    intervalMs: dayMs,
    run: ({ clock }) => deleteExpired(clock.now()),
  };
}
