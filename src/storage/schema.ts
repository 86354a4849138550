import type { Selectable } from 'kysely';
import type {
  MuteTable,
  ReportMemoryTable,
  ReportTable,
  VpsHoursTable,
  WatchRoundTable,
  WatchTable,
} from './report-tables.ts';

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
  /** What people call what its input names by identifiers. */
  called: string | null;
  target: string | null;
  origin: string;
  status: RunStatus;
  /** State of the target that the confirmation card showed. */
  shown: string | null;
  asked_again_at: number | null;
  /** Where a second person is asked. */
  approval_cards: string | null;
  approved_by: string | null;
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

/** For what a workspace wants a second person. */
export interface ApprovalRuleTable {
  id: string;
  team_id: string;
  /** An effect, or the name of an operation. */
  what: string;
  /** A pattern of VPS names. */
  vps: string;
  channel: string | null;
  made_by: string;
  made_at: number;
}

/** Rights, granted to a person, a user group (by its id) or `everyone`, on what a pattern of VPS names is of. */
export interface AccessGrantTable {
  team_id: string;
  grantee: string;
  pattern: string;
  granted: string;
  /** `null` for what came with the installation. */
  granted_by: string | null;
  granted_at: number;
}

/** Channels in which no more than one right counts. */
export interface ChannelLimitTable {
  team_id: string;
  channel: string;
  most: string;
  set_by: string | null;
  set_at: number;
}

/** Rights that somebody asked for. */
export interface AccessRequestTable {
  id: string;
  team_id: string;
  user_id: string;
  needed: string;
  patterns: string;
  /** What its asker was refused, as the step that they can take once they have the right. */
  wanted: string | null;
  /** Messages in which those who can grant it are asked. */
  cards: string;
  asked_at: number;
  answer: string | null;
  answered_by: string | null;
  /** When it was answered; while there is no answer, when somebody began to carry one out. */
  answered_at: number | null;
}

/** The channel of a workspace that is told what comes onto the record. */
export interface RecordFollowerTable {
  team_id: string;
  channel: string;
  set_by: string;
  set_at: number;
  /** What ended before this, but for what came late, has been told. */
  told_until: number;
  /** Which process tells at the moment. */
  owner: string | null;
  lease_until: number;
}

/** What has been told, or was not worth it, of what ended lately. */
export interface RecordToldTable {
  team_id: string;
  settled_at: number;
  run_id: string;
}

/** When something that is done from time to time was last done, by whichever process. */
export interface RecordUpkeepTable {
  name: string;
  done_at: number;
}

/** Workspaces that use the installation of their organisation, as Slack's payloads told. */
export interface OrgWorkspaceTable {
  team_id: string;
  enterprise_id: string;
}

export interface Schema {
  installation: InstallationTable;
  org_workspace: OrgWorkspaceTable;
  api_key: ApiKeyTable;
  run: RunTable;
  following: FollowingTable;
  secret: SecretTable;
  quota_call: QuotaCallTable;
  quota_pause: QuotaPauseTable;
  own_secret: OwnSecretTable;
  approval_rule: ApprovalRuleTable;
  access_grant: AccessGrantTable;
  channel_limit: ChannelLimitTable;
  access_request: AccessRequestTable;
  record_follower: RecordFollowerTable;
  record_told: RecordToldTable;
  record_upkeep: RecordUpkeepTable;
  report: ReportTable;
  report_memory: ReportMemoryTable;
  mute: MuteTable;
  vps_hours: VpsHoursTable;
  watch: WatchTable;
  watch_round: WatchRoundTable;
}

export type RunRow = Selectable<RunTable>;
