/** Snapshots that were taken by schedules. Schedules delete no other snapshots. */
export interface ScheduledSnapshotTable {
  schedule_id: string;
  vps: string;
  /** The snapshot's name, which is its ID at the hosting service. */
  name: string;
  taken_at: number;
  /** `taking` until the hosting service shows that the snapshot is complete. */
  state: 'taking' | 'available';
}
