import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import { storedData, storedTables } from '../db/stored-data.ts';
import type { PeriodicJob } from '../jobs/job-kind.ts';
import { dayMs, weekMs } from '../time/units.ts';

/** How long an ended plan stays in the list. */
const keepMs = weekMs;

/** Purges ended and deleted plans after a week, with all their data. */
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
          // An edit may have reactivated the plan in the meantime.
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
