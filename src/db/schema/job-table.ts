/** Background jobs of every kind. */
export interface JobTable {
  kind: string;
  /** Unique in its kind, such as the ID of the report. */
  id: string;
  /** Empty for a job of the whole installation. */
  team_id: string;
  /** Empty for a job that no person requested. */
  user_id: string;
  /** JSON, in the form that the kind declares. */
  payload: string;
  /** When the job was planned to start. */
  due_at: number;
  /** When a process can claim the job: its due time, the time of its retry, or the end of its lease. */
  claimable_at: number;
  /** Unique for each claim; `null` unless a process has claimed the job. */
  claim_token: string | null;
  /** How often the job was claimed since it last succeeded. */
  attempts: number;
  /** Incremented each time the job is scheduled. */
  revision: number;
  /** Why the job can't run, such as a payload that doesn't parse. It is tried again later. */
  dead_letter_reason: string | null;
}
