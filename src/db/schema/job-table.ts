export interface JobTable {
  kind: string;
  /** Unique among jobs of the same kind, such as the ID of a report. */
  id: string;
  /** Empty for a job that doesn't belong to a workspace. */
  team_id: string;
  /** The person whom the job concerns; empty if there is none. */
  user_id: string;
  /** JSON that matches the kind's schema. */
  payload: string;
  /** When the job was planned to start. */
  due_at: number;
  /** When a process can claim the job: at its due time, at its retry time, or when its lease ends. */
  claimable_at: number;
  /** Unique for each claim; `null` unless a process has claimed the job. */
  claim_token: string | null;
  /** The number of attempts since the job last succeeded. */
  attempts: number;
  /** Incremented each time the job is scheduled. */
  revision: number;
  /** Why the job can't be run, such as a payload that doesn't parse. It is retried later anyway. */
  dead_letter_reason: string | null;
}
