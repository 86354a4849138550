/** Snapshots taken by schedules. Schedules delete no others. */
export interface ScheduledSnapshotTable {
  schedule_id: string;
  vps: string;
  /** The snapshot's name, which is its ID at the hosting service. */
  name: string;
  taken_at: number;
  /** `taking` until the service shows the snapshot as complete. */
  state: 'taking' | 'available';
}
