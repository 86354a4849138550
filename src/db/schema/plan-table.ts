/** A workspace's reports, watches, maintenance windows and schedules. */
export interface PlanTable {
  id: string;
  team_id: string;
  /** Which kind of plan this is. A plan whose kind this version doesn't know isn't touched. */
  kind: string;
  /** Unique among all of the workspace's plans that aren't deleted, whatever their kind. */
  name: string;
  /** `null` if the plan isn't announced in any channel. */
  channel: string | null;
  created_by: string;
  created_at: number;
  /** JSON: the settings that people choose, in a format that depends on the kind. */
  spec: string;
  /** JSON: what Rackhand remembers about the plan, in a format that depends on the kind. */
  progress: string;
  /** `approval` until another person has approved the plan, and `ended` once it has no occurrence left. */
  state: 'approval' | 'active' | 'paused' | 'ended' | 'deleted';
  /** When the plan entered this state. */
  state_at: number;
  paused_reason: string | null;
  /** The person who paused the plan; `null` if Rackhand paused it. */
  paused_by: string | null;
  /** The time of the plan's next occurrence; `null` if there is none. */
  next_at: number | null;
  /** The time of the occurrence that a person skipped. */
  skipped_at: number | null;
  skipped_by: string | null;
  /** JSON: the occurrence that is in progress, in a format that depends on the kind; `null` if there is none. */
  occurrence: string | null;
  /** Incremented each time a person changes the plan, and each time its state changes. */
  version: number;
}
