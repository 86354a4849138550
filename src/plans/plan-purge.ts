import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import { storedData, storedTables } from '../db/stored-data.ts';
import type { PeriodicJob } from '../jobs/job-kind.ts';
import { dayMs, weekMs } from '../time/units.ts';

/** How long a plan without a further time stays in the list, with its result. */
const keepMs = weekMs;

/**
 * Creates the daily job that deletes the plans that ended or were deleted a week ago, with what
 * belongs to them. The names of those that ended can be used again.
 */
export function createPlanPurge(db: Database): PeriodicJob {
  return {
    name: 'plan-purge',
    intervalMs: dayMs,
    async run({ clock }) {
      const rows = await db
        .selectFrom('plan')
        .select('id')
        .where('state', 'in', ['ended', 'deleted'])
        .where('state_at', '<=', clock.now() - keepMs)
        .where('occurrence', 'is', null)
        .execute();
      for (const { id } of rows)
        await db.transaction().execute(async (transaction) => {
          // It may have been edited meanwhile, and be active again.
          const { numDeletedRows } = await transaction
            .deleteFrom('plan')
            .where('id', '=', id)
            .where('state', 'in', ['ended', 'deleted'])
            .executeTakeFirst();
          if (numDeletedRows === 0n) return;
          for (const table of storedTables) {
            const { workspace } = storedData[table];
            if (workspace?.kind === 'row' && workspace.of === 'plan')
              await sql`delete from ${sql.table(table)} where ${sql.ref(workspace.column)} = ${id}`.execute(
                transaction,
              );
          }
        });
    },
  };
}
