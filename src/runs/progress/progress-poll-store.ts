import type { Database } from '../../db/engines/database.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { Lease } from '../store/run-leases.ts';

/** A run whose progress is polled, and the time (epoch ms) until which it is polled. */
export interface ProgressPoll {
  readonly runId: string;
  readonly untilMs: number;
}

/** Stores which runs are polled, so that polling continues after a restart. */
export type ProgressPollStore = ReturnType<typeof createProgressPollStore>;

export function createProgressPollStore(db: Database) {
  return {
    async add({ runId, untilMs }: ProgressPoll, lease: Lease): Promise<void> {
      await db
        .insertInto('progress_poll')
        .values({ run_id: runId, until_at: untilMs, owner: lease.owner, lease_until: lease.untilMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Extends the owner's lease. Returns false if another process has taken over the poll. */
    async renewLease(runId: string, lease: Lease): Promise<boolean> {
      return wasUpdated(
        db
          .updateTable('progress_poll')
          .set({ lease_until: lease.untilMs })
          .where('run_id', '=', runId)
          .where('owner', '=', lease.owner),
      );
    },

    /** Takes over polls from other owners whose lease ended before `leaseBeforeMs`. */
    async adopt(lease: Lease, leaseBeforeMs: number): Promise<readonly ProgressPoll[]> {
      const rows = await db
        .updateTable('progress_poll')
        .set({ owner: lease.owner, lease_until: lease.untilMs })
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(({ run_id, until_at }) => ({ runId: run_id, untilMs: until_at }));
    },

    async remove(runId: string): Promise<void> {
      await db.deleteFrom('progress_poll').where('run_id', '=', runId).execute();
    },
  };
}
