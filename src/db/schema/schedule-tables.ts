/** Acts that run at a later time, once or repeatedly. */
export interface ScheduleTable {
  id: string;
  team_id: string;
  /** Unique among the workspace's rows that aren't deleted. */
  name: string;
  channel: string;
  created_by: string;
  created_at: number;
  /** JSON: the operation, its input and its targets. */
  act: string;
  /** JSON: when it acts. */
  timing: string;
  /** JSON: the rule for keeping snapshots; `null` if the schedule never deletes any. */
  keep: string | null;
  /** How long before each occurrence it is announced, in ms. 0 for never. */
  announce_ms: number;
  state: 'approval' | 'active' | 'paused' | 'ended' | 'deleted';
  paused_reason: string | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  /** JSON: who approved it, and for which targets; `null` if no approval was needed. */
  approval: string | null;
  /** The time of the next occurrence; `null` if there is none. */
  next_at: number | null;
  /** The time of the occurrence that a person has skipped. */
  skipped_at: number | null;
  skipped_by: string | null;
  /** JSON: the occurrence that is in progress; `null` if there is none. */
  occurrence: string | null;
  /** JSON: the result of the last occurrence. */
  last_result: string | null;
}

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
