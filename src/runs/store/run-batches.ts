import type { Database } from '../../db/engines/database.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { Run } from '../run.ts';
import { toRun } from './run-row.ts';

/** The part of the run store that deals with batches. */
export function createRunBatches(db: Database) {
  return {
    /** Lists the runs that belong to a batch. */
    async listBatch(batchId: string): Promise<readonly Run[]> {
      const rows = await db.selectFrom('run').selectAll().where('batch_id', '=', batchId).execute();
      return rows.map(toRun);
    },

    /** Stops an unfinished batch. Returns false if it has ended or was stopped before. */
    async stopBatch(id: string, stoppedBy: string): Promise<boolean> {
      return wasUpdated(
        db
          .updateTable('run')
          .set({ stopped_by: stoppedBy })
          .where('id', '=', id)
          .where('status', 'in', ['queued', 'sent'])
          .where('stopped_by', 'is', null),
      );
    },
  };
}
