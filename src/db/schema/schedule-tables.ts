/** The snapshots that schedules have taken. Only these are ever deleted. */
export interface ScheduledSnapshotTable {
  schedule_id: string;
  vps: string;
  /** The name, which is the ID at the hosting service. */
  name: string;
  taken_at: number;
  /** `taking` until the service has shown it as complete. */
  state: 'taking' | 'available' | 'failed' | 'deleted';
}

/** The VPS on which a schedule is working, so that two schedules take turns. */
export interface ScheduleLockTable {
  team_id: string;
  vps: string;
  schedule_id: string;
}
