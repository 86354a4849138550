import type { Database } from '../../storage/database.ts';
import type { Period } from '../summary/course.ts';
import { hours, type KeptHours, reachesBack } from './hours.ts';

export type HoursStore = ReturnType<typeof createHoursStore>;

/** The kept hours of one workspace. */
export interface HoursOfTeam {
  find(vps: string): Promise<KeptHours | undefined>;
  keep(vps: string, kept: KeptHours): Promise<void>;
}

/** What no report has added to for so long is of a VPS that is gone, or that nobody asks for any more. */
const forgottenAfterMs = 30 * 24 * 60 * 60_000;

/** Creates the store of the hours that are kept of each VPS, so that a daily report need not read its week anew. */
export function createHoursStore(db: Database) {
  return {
    of(teamId: string): HoursOfTeam {
      return {
        async find(vps) {
          const row = await db
            .selectFrom('vps_hours')
            .selectAll()
            .where('team_id', '=', teamId)
            .where('vps', '=', vps)
            .executeTakeFirst();
          const read = row && hours.safeParse(JSON.parse(row.hours)).data;
          return read && { fromMs: row.from_at, untilMs: row.until_at, hours: read };
        },

        async keep(vps, kept) {
          const values = { from_at: kept.fromMs, until_at: kept.untilMs, hours: JSON.stringify(kept.hours) };
          await db
            .insertInto('vps_hours')
            .values({ team_id: teamId, vps, ...values })
            .onConflict((conflict) => conflict.columns(['team_id', 'vps']).doUpdateSet(values))
            .execute();
        },
      };
    },

    /** Tells of which VPS of a workspace a report on a period need not read the week before. */
    async reaching(teamId: string, period: Period): Promise<(vps: string) => boolean> {
      const rows = await db
        .selectFrom('vps_hours')
        .select(['vps', 'from_at', 'until_at'])
        .where('team_id', '=', teamId)
        .execute();
      const reaching = rows.filter((row) =>
        reachesBack({ fromMs: row.from_at, untilMs: row.until_at }, period),
      );
      const names = new Set(reaching.map(({ vps }) => vps));
      return (vps) => names.has(vps);
    },

    async forgetOld(nowMs: number): Promise<void> {
      await db
        .deleteFrom('vps_hours')
        .where('until_at', '<', nowMs - forgottenAfterMs)
        .execute();
    },

    /** Deletes everything of a workspace. */
    async forgetAllOf(teamId: string): Promise<void> {
      await db.deleteFrom('vps_hours').where('team_id', '=', teamId).execute();
    },
  };
}
