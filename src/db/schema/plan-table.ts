/** A workspace's reports, watches, maintenance windows and schedules. */
export interface PlanTable {
  id: string;
  team_id: string;
  /** Plans of a kind that this version doesn't know are left alone. */
  kind: string;
  /** Unique among the workspace's plans of all kinds that aren't deleted. */
  name: string;
  /** `null` if the plan isn't announced in any channel. */
  channel: string | null;
  created_by: string;
  created_at: number;
  /** JSON: the settings that people choose, in the kind's format. */
  spec: string;
  /** JSON: what Rackhand remembers about the plan, in the kind's format. */
  progress: string;
  /** `approval` until a second person approves it, `ended` once no occurrence is left. */
  state: 'approval' | 'active' | 'paused' | 'ended' | 'deleted';
  /** When the plan entered this state. */
  state_at: number;
  paused_reason: string | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  /** The time of the next occurrence; `null` if there is none. */
  next_at: number | null;
  /** The time of the occurrence that a person skipped. */
  skipped_at: number | null;
  skipped_by: string | null;
  /** JSON: the occurrence in progress, in the kind's format; `null` if there is none. */
  occurrence: string | null;
  /** Incremented each time a person changes the plan or its state changes. */
  version: number;
}
