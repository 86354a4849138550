import type { Database } from '../../db/engines/database.ts';
import type { ScheduledSnapshotTable } from '../../db/schema/schedule-tables.ts';

/** A snapshot that a schedule has taken. */
export interface ScheduledSnapshot {
  readonly vps: string;
  readonly name: string;
  readonly takenMs: number;
  readonly state: ScheduledSnapshotTable['state'];
}

type SnapshotKey = Pick<ScheduledSnapshot, 'vps' | 'name'>;

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/** Stores which schedule has taken which snapshots, because retention deletes no others. */
export function createSnapshotStore(db: Database) {
  return {
    async add(scheduleId: string, { vps, name, takenMs, state }: ScheduledSnapshot): Promise<void> {
      await db
        .insertInto('scheduled_snapshot')
        .values({ schedule_id: scheduleId, vps, name, taken_at: takenMs, state })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Records that a snapshot is complete. */
    async setAvailable(scheduleId: string, { vps, name }: SnapshotKey): Promise<void> {
      await db
        .updateTable('scheduled_snapshot')
        .set({ state: 'available' })
        .where('schedule_id', '=', scheduleId)
        .where('vps', '=', vps)
        .where('name', '=', name)
        .execute();
    },

    /** Forgets a snapshot that has failed or was deleted, so that the table doesn't grow. */
    async remove(scheduleId: string, { vps, name }: SnapshotKey): Promise<void> {
      await db
        .deleteFrom('scheduled_snapshot')
        .where('schedule_id', '=', scheduleId)
        .where('vps', '=', vps)
        .where('name', '=', name)
        .execute();
    },

    /** Lists the snapshots, oldest first. */
    async list(scheduleId: string): Promise<readonly ScheduledSnapshot[]> {
      const rows = await db
        .selectFrom('scheduled_snapshot')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('taken_at')
        .execute();
      return rows.map(({ vps, name, taken_at, state }) => ({ vps, name, takenMs: taken_at, state }));
    },
  };
}
