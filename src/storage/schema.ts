import type { Selectable } from 'kysely';

// Two databases, one set of queries: times are milliseconds since the epoch, JSON is text,
// what is encrypted is a compact JWE.

export interface InstallationTable {
  team_id: string;
  team_name: string;
  enterprise_id: string | null;
  bot_token_jwe: string;
  bot_id: string;
  bot_user_id: string;
  installed_at: number;
}

export interface ApiKeyTable {
  team_id: string;
  api_key_jwe: string;
  fingerprint: string;
  /** Requests that the key may make in any 60 s. */
  quota: number;
  /** `null` for a key that the settings name. */
  connected_by: string | null;
  connected_at: number;
  /** When somebody was last told that the key is old. */
  reminded_at: number | null;
}

/**
 * States of a run. `waiting`: for its checks and its confirmation. `queued`: for a slot of the quota; nothing has left. `sent`: the call has
 * left. The others are settled and never change, but for `unknown` (it left and no answer came), which a late answer may still turn
 * into `done` or `failed`.
 */
export type RunStatus = 'refused' | 'waiting' | 'queued' | 'sent' | 'done' | 'failed' | 'unknown' | 'expired';

export interface RunTable {
  id: string;
  /** Unique: what makes a redelivery or a double click a duplicate. */
  request_key: string;
  team_id: string;
  user_id: string;
  operation: string;
  input: string;
  target: string | null;
  origin: string;
  status: RunStatus;
  /** State of the target that the confirmation card showed. */
  shown: string | null;
  asked_again_at: number | null;
  /** A confirmation or a queued run lapses here. */
  not_after: number | null;
  owner: string | null;
  lease_until: number | null;
  message_channel: string | null;
  message_ts: string | null;
  outcome: string | null;
  /** How far the work is that goes on after the call. */
  progress: string | null;
  error_code: string | null;
  requested_at: number;
  queued_at: number | null;
  sent_at: number | null;
  settled_at: number | null;
}

/** Runs whose work goes on after the call, and is looked at until it is over. */
export interface FollowingTable {
  run_id: string;
  until_at: number;
  owner: string;
  lease_until: number;
}

/** What only its asker may see, and once. */
export interface SecretTable {
  id: string;
  team_id: string;
  user_id: string;
  run_id: string;
  secret_jwe: string;
  expires_at: number;
}

export interface QuotaCallTable {
  call_id: string;
  fingerprint: string;
  lane: 'people' | 'background';
  left_at: number;
  answered_at: number | null;
}

export interface QuotaPauseTable {
  fingerprint: string;
  paused_from: number;
  paused_until: number;
}

/** Secrets of this installation itself, made once. */
export interface OwnSecretTable {
  name: string;
  secret_jwe: string;
}

export interface Schema {
  installation: InstallationTable;
  api_key: ApiKeyTable;
  run: RunTable;
  following: FollowingTable;
  secret: SecretTable;
  quota_call: QuotaCallTable;
  quota_pause: QuotaPauseTable;
  own_secret: OwnSecretTable;
}

export type RunRow = Selectable<RunTable>;
