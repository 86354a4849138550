import type { Selectable } from 'kysely';
import type { JobTable } from './job-table.ts';
import type { MessageTable } from './message-table.ts';
import type { PastAlertTable, ReportBaselineTable } from './monitoring-tables.ts';
import type { PersonalSettingsTable } from './personal-tables.ts';
import type { PlanTable } from './plan-table.ts';
import type { ScheduledSnapshotTable } from './scheduled-snapshot-table.ts';
import type {
  AskTable,
  AuditChainTable,
  RemovedWorkspaceTable,
  SuspendedWorkspaceTable,
  UsedOauthStateTable,
} from './security-tables.ts';
import type { ServiceCorrectionTable, ServicePayloadTable } from './service-tables.ts';

// The schema is the same for SQLite and PostgreSQL: times are epoch milliseconds, JSON is text, and
// secrets are compact JWEs.

export interface InstallationTable {
  team_id: string;
  team_name: string;
  enterprise_id: string | null;
  bot_token_jwe: string;
  bot_id: string;
  bot_user_id: string;
  installed_at: number;
  /** `null` if the bot token never expires. */
  refresh_token_jwe: string | null;
  token_expires_at: number | null;
}

export interface ApiKeyTable {
  team_id: string;
  api_key_jwe: string;
  fingerprint: string;
  /** Requests allowed in any 60 s. */
  quota: number;
  /** `null` if the key is from HOSTING_API_KEY. */
  connected_by: string | null;
  connected_at: number;
  /** When admins were last reminded that the key is old. */
  reminded_at: number | null;
}

export interface VpsAliasTable {
  team_id: string;
  vps: string;
  alias: string;
  /** The same for aliases that look the same, so that only one VPS can have any of them. */
  alias_key: string;
  set_by: string;
  set_at: number;
}

/**
 * - `waiting`: waiting for checks, confirmation or approval.
 * - `queued`: waiting for a quota slot; no call was sent.
 * - `sent`: the call was sent; no response has arrived yet.
 *
 * The others are settled and never change, except `unknown` (sent, but the response was lost): a
 * late response can turn it into `done` or `failed`.
 */
export type RunStatus = 'refused' | 'waiting' | 'queued' | 'sent' | 'done' | 'failed' | 'unknown' | 'expired';

export interface RunTable {
  id: string;
  /** Unique, so that a redelivered request or a double click is recognized as a duplicate. */
  request_key: string;
  team_id: string;
  user_id: string;
  operation: string;
  input: string;
  /** JSON: readable names for opaque IDs in the input. */
  display_names: string | null;
  /** The title of a change, as shown in messages. */
  title: string | null;
  /** The run's category in the activity log: `changes`, `settings`, `reads`, or `denied` reads. */
  log_kind: 'changes' | 'settings' | 'reads' | 'denied';
  target: string | null;
  origin: string;
  /** The ID of the batch that the run belongs to. A batch is itself a run. */
  batch_id: string | null;
  /** The person who stopped the run; `null` if nobody did. */
  stopped_by: string | null;
  /** Deleted once the run's end has been reported, or at the latest 30 minutes after the end. */
  response_url_jwe: string | null;
  status: RunStatus;
  /** Fingerprint of the target's state that the card shows. */
  shown_state: string | null;
  /** When a click on the current card was accepted. Each card can be used only once. */
  clicked_at: number | null;
  ask_id: string | null;
  approved_by: string | null;
  /** When the confirmation, approval request or queued run expires. */
  not_after: number | null;
  owner: string | null;
  lease_until: number | null;
  outcome: string | null;
  /** When the outcome was trimmed to what the activity log keeps. */
  trimmed_at: number | null;
  /** When the settled run was added to the activity log's hash chain. */
  sealed_at: number | null;
  /** JSON: the progress of work that continues after the call. */
  progress: string | null;
  error_code: string | null;
  requested_at: number;
  queued_at: number | null;
  sent_at: number | null;
  settled_at: number | null;
}

/** Secrets that one person can see, and only once. */
export interface OneTimeSecretTable {
  id: string;
  team_id: string;
  user_id: string;
  run_id: string;
  secret_jwe: string;
  expires_at: number;
}

/** Quota slots in use and API key pauses, shared by all processes. */
export interface QuotaSlotTable {
  id: string;
  fingerprint: string;
  /** `people`, `background`, or `pause` if the whole key is paused. */
  lane: string;
  caller: string;
  taken_at: number;
  free_at: number;
  /** When the machine booted, by the clock that the row's other times use. 0 if the other times are database times. */
  booted_at: number;
}

/** Secrets of this Rackhand instance, generated once. */
export interface InstanceSecretTable {
  name: string;
  secret_jwe: string;
}

/** Rules for changes that need approval or a reason. */
export interface ApprovalRuleTable {
  id: string;
  team_id: string;
  /** What the rule demands: `approval`, `breakGlass` or `reason`. */
  needs: string;
  /** An effect, or the name of an operation. */
  applies_to: string;
  /** A VPS name pattern. */
  vps: string;
  channel: string | null;
  /** The user group that is asked for approval. */
  user_group: string | null;
  created_by: string;
  created_at: number;
}

/** Grants of a right on all VPS that match a pattern, to a person, a user group (by ID) or `everyone`. */
export interface AccessGrantTable {
  team_id: string;
  grantee: string;
  pattern: string;
  granted_right: string;
  /** 1 if the granted right excludes revealing secrets. */
  reveal_revoked: number;
  /** `null` if the grant was made by the installation. */
  granted_by: string | null;
  granted_at: number;
  /** When the grant expires, or 0 if it never does. */
  expires_at: number;
}

/** The highest right that can be used in a channel. */
export interface ChannelLimitTable {
  team_id: string;
  channel: string;
  max_right: string;
  set_by: string | null;
  set_at: number;
}

/** The channel that gets the entries of a workspace's activity log. */
export interface AuditSubscriptionTable {
  team_id: string;
  channel: string;
  set_by: string;
  set_at: number;
  /** Entries that settled before this time have been delivered, except for late ones. */
  delivered_until: number;
}

/** Recently settled runs that have already been delivered or skipped. */
export interface AuditDeliveryTable {
  team_id: string;
  settled_at: number;
  run_id: string;
}

/** Workspaces that use an org-wide installation, as learned from Slack's payloads. */
export interface OrgWorkspaceTable {
  team_id: string;
  enterprise_id: string;
}

export interface Schema {
  job: JobTable;
  message: MessageTable;
  installation: InstallationTable;
  org_workspace: OrgWorkspaceTable;
  removed_workspace: RemovedWorkspaceTable;
  suspended_workspace: SuspendedWorkspaceTable;
  used_oauth_state: UsedOauthStateTable;
  api_key: ApiKeyTable;
  run: RunTable;
  one_time_secret: OneTimeSecretTable;
  quota_slot: QuotaSlotTable;
  instance_secret: InstanceSecretTable;
  approval_rule: ApprovalRuleTable;
  service_payload: ServicePayloadTable;
  service_correction: ServiceCorrectionTable;
  access_grant: AccessGrantTable;
  channel_limit: ChannelLimitTable;
  ask: AskTable;
  audit_subscription: AuditSubscriptionTable;
  audit_delivery: AuditDeliveryTable;
  audit_chain: AuditChainTable;
  report_baseline: ReportBaselineTable;
  plan: PlanTable;
  past_alert: PastAlertTable;
  vps_alias: VpsAliasTable;
  personal_settings: PersonalSettingsTable;
  scheduled_snapshot: ScheduledSnapshotTable;
}

export type RunRow = Selectable<RunTable>;
