import type { Database } from '../../db/engines/database.ts';
import type { RunRow } from '../../db/schema/schema.ts';
import type { Run } from '../run.ts';
import type { RunMessages } from '../run-messages.ts';
import type { RunChanges } from './run-changes.ts';
import { toRun } from './run-row.ts';

/** Changes runs, and shows those that people see in the same transaction. Returns the changed runs. */
export type ChangeShown = (
  change: (transaction: Database) => Promise<readonly RunRow[]>,
  isShown?: (run: Run) => boolean,
) => Promise<readonly Run[]>;

export function createChangeShown(
  db: Database,
  { show, wake }: RunMessages,
  changes: Pick<RunChanges, 'notify'>,
): ChangeShown {
  return async (change, isShown = () => true) => {
    const runs = await db.transaction().execute(async (transaction) => {
      const changed = (await change(transaction)).map(toRun);
      for (const run of changed.filter(isShown)) await show(run, transaction);
      return changed;
    });
    if (runs.length > 0) wake();
    for (const { id, batchId } of runs) changes.notify(batchId ?? id);
    return runs;
  };
}
