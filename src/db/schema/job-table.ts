export interface JobTable {
  kind: string;
  /** Unique within the kind, such as the report's ID. */
  id: string;
  /** Empty for an installation-wide job. */
  team_id: string;
  /** The person the job is about; empty if none. */
  user_id: string;
  /** JSON that matches the kind's schema. */
  payload: string;
  /** When the job was planned to start. */
  due_at: number;
  /** When a process can claim the job: its due time, its retry time, or the end of its lease. */
  claimable_at: number;
  /** Unique for each claim; `null` unless a process has claimed the job. */
  claim_token: string | null;
  /** Attempts since the job last succeeded. */
  attempts: number;
  /** Incremented each time the job is scheduled. */
  revision: number;
  /** Why the job can't run, such as a payload that doesn't parse. The job is retried later. */
  dead_letter_reason: string | null;
}
