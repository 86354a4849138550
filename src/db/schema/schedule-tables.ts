/** Acts that run at a later time, once or again and again. */
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
  /** JSON: the time, or the recurrence. */
  timing: string;
  /** JSON: which snapshots are kept; `null` if none is ever deleted. */
  keep: string | null;
  /** How long before each run it is announced, in ms. 0 for never. */
  announce_ms: number;
  state: 'approval' | 'active' | 'paused' | 'ended' | 'deleted';
  paused_reason: string | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  /** JSON: who approved it, and for which targets; `null` if no approval was needed. */
  approval: string | null;
  /** The next time; `null` if there is none. */
  next_at: number | null;
  /** The time that was announced last. */
  announced_at: number | null;
  /** The time that a person has skipped. */
  skipped_at: number | null;
  skipped_by: string | null;
  /** The message about the announced or current time. */
  message_ts: string | null;
  /** JSON: the time that is being worked on; `null` if there is none. */
  occurrence: string | null;
  /** JSON: how the last time ended. */
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

/** The VPS on which a schedule works right now, so that two schedules take turns. */
export interface ScheduleLockTable {
  team_id: string;
  vps: string;
  schedule_id: string;
}
