import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { PastAlertTable } from '../../db/schema/monitoring-tables.ts';
import type { PeriodicJob } from '../../jobs/job-kind.ts';
import type { Period } from '../../time/periods.ts';
import { dayMs } from '../../time/units.ts';
import type { ReportedAlert } from '../shared/alert-digest.ts';
import type { Alert } from './evaluation/alert.ts';
import type { Watch } from './watch.ts';

/** How long ended alerts are kept. A monthly report covers up to 31 days and can be late. */
const retentionMs = 40 * dayMs;

const vpsNames = z.array(z.string());

export function createPastAlertStore(db: Database, rowReader = createRowReader()) {
  const { readAll } = rowReader.forTable({
    table: 'past_alert',
    noun: 'alert',
    toValue: toReportedAlert,
    toId: ({ watch_id, began_at }) => `${watch_id} ${began_at}`,
  });

  return {
    async add({ id, teamId, name }: Watch, alert: Alert): Promise<void> {
      const { acknowledged } = alert.response;
      await db
        .insertInto('past_alert')
        .values({
          watch_id: id,
          began_at: alert.beganMs,
          ended_at: findEndMs(alert),
          team_id: teamId,
          watch_name: name,
          vps: JSON.stringify(Object.keys(alert.members)),
          acknowledged_by: acknowledged?.userId ?? null,
          acknowledged_at: acknowledged?.atMs ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Lists ended alerts that were open at any time in the period, oldest first. */
    async list(teamId: string, { fromMs, untilMs }: Period): Promise<readonly ReportedAlert[]> {
      const rows = await db
        .selectFrom('past_alert')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('began_at', '<', untilMs)
        .where(({ eb, fn }) => eb(fn.coalesce('ended_at', 'began_at'), '>=', fromMs))
        .orderBy('began_at')
        .execute();
      return readAll(rows);
    },
  };
}

function toReportedAlert(row: Selectable<PastAlertTable>): ReportedAlert {
  return {
    watchName: row.watch_name,
    beganMs: row.began_at,
    endedMs: row.ended_at,
    isOpen: false,
    vps: vpsNames.parse(JSON.parse(row.vps)),
    acknowledgedMs: row.acknowledged_at,
  };
}

export function createPastAlertPurge(db: Database): PeriodicJob {
  return {
    name: 'past-alert-purge',
    intervalMs: dayMs,
    async run({ clock }) {
      await db
        .deleteFrom('past_alert')
        .where('began_at', '<', clock.now() - retentionMs)
        .execute();
    },
  };
}

/** Returns when the last VPS recovered, or `null` if any VPS hasn't recovered. */
function findEndMs({ members }: Alert): number | null {
  const ends = Object.values(members).map(({ endedMs }) => endedMs);
  return ends.includes(null) ? null : Math.max(...ends.flatMap((endMs) => endMs ?? []));
}
