// Tables for approvals of Rackhand's own acts, erasure, the hash chain and installations.

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
  /** Covers the other columns up to here and the hash before it. */
  hash: string;
  /** JSON: why the entry was erased on purpose, and its digest since then. */
  tombstone: string | null;
  /** When the entry was streamed out of Rackhand. */
  streamed_at: number | null;
}

/** Acts on Rackhand's own data that a second person has to approve. */
export interface PendingActTable {
  id: string;
  team_id: string;
  user_id: string;
  kind: string;
  /** ID of the rule or secret that the act is about. */
  subject: string;
  title: string;
  /** The right that the second person needs, and on which VPS (JSON). */
  required_right: string;
  vps: string;
  /** JSON: messages that ask for approval. */
  cards: string;
  expires_at: number;
  decision: string | null;
  decided_by: string | null;
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

/** OAuth states that were used, by their SHA-256 digest. */
export interface UsedOauthStateTable {
  digest: string;
  expires_at: number;
}

/** Which changes need a reason in a workspace. */
export interface ReasonRuleTable {
  team_id: string;
  /** `destroy` or `change`. */
  applies_to: string;
  set_by: string;
  set_at: number;
}
