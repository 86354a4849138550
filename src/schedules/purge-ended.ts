import type { Database } from '../db/engines/database.ts';
import { createRowReader } from '../db/row-reader.ts';
import type { PeriodicJob } from '../jobs/periodic-job.ts';
import { dayMs, weekMs } from '../time/units.ts';
import { toSchedule } from './schedule.ts';

/** How long a schedule without a further time stays in the list, with its result. */
const keepMs = weekMs;

/** Creates the daily job that deletes schedules that ended a week ago. Their names can be used again. */
export function createEndedSchedulePurge(db: Database, rowReader = createRowReader()): PeriodicJob {
  const { readAll } = rowReader.forTable({
    table: 'schedule',
    noun: 'schedule',
    toValue: toSchedule,
    toId: ({ id }) => id,
  });
  return {
    name: 'ended-schedule-purge',
    intervalMs: dayMs,
    async run({ clock }) {
      const untilMs = clock.now() - keepMs;
      const ended = readAll(
        await db
          .selectFrom('schedule')
          .selectAll()
          .where('state', '=', 'ended')
          .where('occurrence', 'is', null)
          .where('created_at', '<=', untilMs)
          .execute(),
      );
      for (const { id, lastResult, createdMs } of ended) {
        if ((lastResult?.dueMs ?? createdMs) > untilMs) continue;
        await db.deleteFrom('scheduled_snapshot').where('schedule_id', '=', id).execute();
        await db.deleteFrom('schedule').where('id', '=', id).where('state', '=', 'ended').execute();
      }
    },
  };
}
