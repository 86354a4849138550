/** Everything with a name and times in a workspace: reports, watches, maintenance windows, schedules. */
export interface PlanTable {
  id: string;
  team_id: string;
  /** A plan of a kind that this version doesn't know is left alone. */
  kind: string;
  /** Unique among the workspace's plans of all kinds that aren't deleted. */
  name: string;
  /** `null` if it is announced in no channel. */
  channel: string | null;
  created_by: string;
  created_at: number;
  /** JSON: what a person decides, in the form that the kind declares. */
  spec: string;
  /** JSON: what Rackhand remembers about it, in the form that the kind declares. */
  progress: string;
  /** `approval` until a second person has approved it, `ended` if no time is left. */
  state: 'approval' | 'active' | 'paused' | 'ended' | 'deleted';
  /** When the state began. */
  state_at: number;
  paused_reason: string | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  /** The time of the next occurrence; `null` if there is none, or if the plan has no times of its own. */
  next_at: number | null;
  /** The time of the occurrence that a person has skipped. */
  skipped_at: number | null;
  skipped_by: string | null;
  /** JSON: the occurrence that is in progress, in the form that the kind declares; `null` if there is none. */
  occurrence: string | null;
  /** Incremented with each change by a person, and each change of the state. */
  version: number;
}
