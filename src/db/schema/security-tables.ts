// Tables for requests, erasure, the hash chain and installations.

/** The hash chain of each workspace's activity log. */
export interface AuditChainTable {
  team_id: string;
  /** The link's position in the workspace's chain, starting with 1. */
  seq: number;
  run_id: string;
  status: string;
  digest: string;
  /** Digest of the sentence that says how the run ended. */
  summary_digest: string | null;
  sealed_at: number;
  /** Covers the columns above and the previous link's hash. */
  hash: string;
  /** JSON: why the entry was erased on purpose, and its digest after that. */
  tombstone: string | null;
  /** When the entry was sent to the stream outside Rackhand. */
  streamed_at: number | null;
}

/** Requests that need a decision from another person. */
export interface AskTable {
  id: string;
  team_id: string;
  user_id: string;
  kind: string;
  /** What an approval covers exactly, in a format that depends on the kind. */
  subject: string;
  title: string;
  /** JSON: what messages show in addition to the title. */
  details: string;
  /** JSON: the access that is needed to decide. */
  required: string;
  asked_at: number;
  expires_at: number;
  decision: string | null;
  decided_by: string | null;
  decided_at: number | null;
  /** When the request expired, or when its decision had been carried out and shown. */
  finished_at: number | null;
}

/** Workspaces that removed the app. Their data is purged after a grace period. */
export interface RemovedWorkspaceTable {
  team_id: string;
  removed_at: number;
}

/** Workspaces and organizations that the operator has suspended. */
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
