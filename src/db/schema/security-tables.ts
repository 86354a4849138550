// Tables for requests, erasure, the hash chain and installations.

/** The hash chain of each workspace's activity log. */
export interface AuditChainTable {
  team_id: string;
  /** Position in the workspace's chain, from 1. */
  seq: number;
  run_id: string;
  status: string;
  digest: string;
  /** Digest of the sentence that says how the run ended. */
  summary_digest: string | null;
  sealed_at: number;
  /** Covers the columns above and the previous entry's hash. */
  hash: string;
  /** JSON: why the entry was deliberately erased, and its digest since then. */
  tombstone: string | null;
  /** When the entry was streamed out of Rackhand. */
  streamed_at: number | null;
}

/** Requests that need someone else's decision. */
export interface AskTable {
  id: string;
  team_id: string;
  user_id: string;
  kind: string;
  /** Exactly what an approval applies to, in the kind's format. */
  subject: string;
  title: string;
  /** JSON: what messages show besides the title. */
  details: string;
  /** JSON: the access needed to decide. */
  required: string;
  asked_at: number;
  expires_at: number;
  decision: string | null;
  decided_by: string | null;
  decided_at: number | null;
  /** When the decision was carried out and shown, or the request expired. */
  finished_at: number | null;
}

/** Workspaces that removed the app. Their data is purged after a grace period. */
export interface RemovedWorkspaceTable {
  team_id: string;
  removed_at: number;
}

/** Workspaces and organizations suspended by the operator. */
export interface SuspendedWorkspaceTable {
  team_id: string;
  reason: string;
  suspended_at: number;
}

/** Used OAuth states, as SHA-256 digests. */
export interface UsedOauthStateTable {
  digest: string;
  expires_at: number;
}
