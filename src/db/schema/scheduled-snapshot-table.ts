/** The snapshots that schedules have taken. Only these are ever deleted. */
export interface ScheduledSnapshotTable {
  schedule_id: string;
  vps: string;
  /** The name, which is the ID at the hosting service. */
  name: string;
  taken_at: number;
  /** `taking` until the service has shown it as complete. */
  state: 'taking' | 'available';
}
