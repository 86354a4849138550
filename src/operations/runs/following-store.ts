import type { Database } from '../../storage/database.ts';
import type { Lease } from './run-leases.ts';

/** A run that is followed, and until when. */
export interface Followed {
  readonly runId: string;
  readonly untilMs: number;
}

/** Keeps which runs are followed, so that a restart loses none. */
export type FollowingStore = ReturnType<typeof createFollowingStore>;

/** Creates the store of the runs that are followed. */
export function createFollowingStore(db: Database) {
  return {
    async add({ runId, untilMs }: Followed, lease: Lease): Promise<void> {
      await db
        .insertInto('following')
        .values({ run_id: runId, until_at: untilMs, owner: lease.owner, lease_until: lease.untilMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Says that the owner still follows a run; `false` where another does by now. */
    async extend(runId: string, lease: Lease): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('following')
        .set({ lease_until: lease.untilMs })
        .where('run_id', '=', runId)
        .where('owner', '=', lease.owner)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Takes over what nobody follows any more: what has a lease that ended before `leaseBeforeMs`. */
    async adopt(lease: Lease, leaseBeforeMs: number): Promise<readonly Followed[]> {
      const rows = await db
        .updateTable('following')
        .set({ owner: lease.owner, lease_until: lease.untilMs })
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(({ run_id, until_at }) => ({ runId: run_id, untilMs: until_at }));
    },

    async remove(runId: string): Promise<void> {
      await db.deleteFrom('following').where('run_id', '=', runId).execute();
    },
  };
}
