import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The schema of the first release, in the SQL that SQLite and PostgreSQL share. */
export const initial: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table installation (
    team_id text primary key,
    team_name text not null,
    enterprise_id text,
    bot_token_jwe text not null,
    bot_id text not null,
    bot_user_id text not null,
    installed_at bigint not null,
    refresh_token_jwe text,
    token_expires_at bigint
  )`,
  `create table org_workspace (
    team_id text primary key,
    enterprise_id text not null
  )`,
  `create table removed_workspace (
    team_id text primary key,
    removed_at bigint not null
  )`,
  `create table suspended_workspace (
    team_id text primary key,
    reason text not null,
    suspended_at bigint not null
  )`,
  `create table used_oauth_state (
    digest text primary key,
    expires_at bigint not null
  )`,
  `create table instance_secret (
    name text primary key,
    secret_jwe text not null
  )`,
  `create table api_key (
    team_id text primary key,
    api_key_jwe text not null,
    fingerprint text not null,
    quota integer not null,
    connected_at bigint not null,
    connected_by text,
    reminded_at bigint
  )`,
  `create table run (
    id text primary key,
    request_key text not null unique,
    team_id text not null,
    user_id text not null,
    operation text not null,
    input text not null,
    target text,
    origin text not null,
    status text not null,
    shown_state text,
    not_after bigint,
    owner text,
    lease_until bigint,
    message_channel text,
    message_ts text,
    outcome text,
    error_code text,
    requested_at bigint not null,
    queued_at bigint,
    sent_at bigint,
    settled_at bigint,
    progress text,
    approval_cards text,
    approved_by text,
    display_names text,
    trimmed_at bigint,
    title text,
    sealed_at bigint,
    response_url_jwe text,
    batch_id text,
    stopped_by text,
    notice_at bigint
  )`,
  `create index run_by_status on run (status, lease_until)`,
  `create index run_by_time on run (team_id, requested_at, id)`,
  `create index run_by_person on run (team_id, user_id, requested_at, id)`,
  `create index run_by_end on run (settled_at)`,
  `create index run_by_team_end on run (team_id, settled_at)`,
  `create index run_to_trim on run (settled_at) where trimmed_at is null`,
  `create index run_to_seal on run (settled_at) where sealed_at is null`,
  `create index run_by_target on run (team_id, target, requested_at, id)`,
  `create index run_by_batch on run (batch_id) where batch_id is not null`,
  `create index run_by_operation_and_time on run (team_id, operation, requested_at, id)`,
  `create index run_by_person_and_operation on run (team_id, user_id, operation, requested_at, id)`,
  `create index run_failed on run (team_id, operation, requested_at, id)
    where status in ('refused', 'failed', 'unknown', 'expired')
    and coalesce(error_code, '') <> 'input_invalid'
    and (coalesce(error_code, '') <> 'not_found' or sent_at is not null)
    and (coalesce(error_code, '') <> 'cancelled' or outcome like '%"decidedBy":%')`,
  `create index run_denied on run (team_id, requested_at, id)
    where error_code = 'not_permitted'`,
  `create index run_log_change on run (team_id, requested_at, id)
    where input like '%"export":%' or input like '%"to":%'`,
  // PostgreSQL doesn't use the order of an index after `target is null`, so a missing target is an empty text.
  `create index run_by_operation on run (team_id, operation, coalesce(target, ''), requested_at, id)`,
  `create table one_time_secret (
    id text primary key,
    team_id text not null,
    user_id text not null,
    run_id text not null,
    secret_jwe text not null,
    expires_at bigint not null
  )`,
  `create index one_time_secret_by_expiry on one_time_secret (expires_at)`,
  `create table job (
    kind text not null,
    id text not null,
    team_id text not null,
    user_id text not null,
    payload text not null,
    due_at bigint not null,
    claimable_at bigint not null,
    claim_token text,
    attempts integer not null,
    revision integer not null,
    set_aside_reason text,
    primary key (kind, id)
  )`,
  `create index job_by_time on job (claimable_at)`,
  `create index job_claimed on job (kind, team_id) where claim_token is not null`,
  `create index job_set_aside on job (kind) where set_aside_reason is not null`,
  `create table quota_slot (
    id text primary key,
    fingerprint text not null,
    lane text not null,
    caller text not null,
    taken_at bigint not null,
    free_at bigint not null,
    booted_at bigint not null
  )`,
  `create index quota_slot_by_key on quota_slot (fingerprint)`,
  `create table access_grant (
    team_id text not null,
    grantee text not null,
    pattern text not null,
    granted_right text not null,
    granted_by text,
    granted_at bigint not null,
    reveal_revoked integer not null default 0,
    primary key (team_id, grantee, pattern)
  )`,
  `create table channel_limit (
    team_id text not null,
    channel text not null,
    max_right text not null,
    set_by text,
    set_at bigint not null,
    primary key (team_id, channel)
  )`,
  `create table access_request (
    id text primary key,
    team_id text not null,
    user_id text not null,
    requested_right text not null,
    patterns text not null,
    cards text not null,
    requested_at bigint not null,
    decision text,
    decided_by text,
    decided_at bigint,
    requested_step text
  )`,
  `create index access_request_by_person on access_request (team_id, user_id, requested_at)`,
  `create index access_request_to_delete on access_request (requested_at)`,
  `create table approval_rule (
    id text primary key,
    team_id text not null,
    applies_to text not null,
    vps text not null,
    channel text,
    created_by text not null,
    created_at bigint not null,
    user_group text
  )`,
  `create index approval_rule_by_team on approval_rule (team_id)`,
  `create table pending_act (
    id text primary key,
    team_id text not null,
    user_id text not null,
    kind text not null,
    subject text not null,
    title text not null,
    required_right text not null,
    vps text not null,
    cards text not null,
    expires_at bigint not null,
    decision text,
    decided_by text
  )`,
  `create index pending_act_by_subject on pending_act (team_id, kind, subject)`,
  `create index pending_act_to_delete on pending_act (expires_at)`,
  `create table reason_rule (
    team_id text primary key,
    applies_to text not null,
    set_by text not null,
    set_at bigint not null
  )`,
  `create table audit_chain (
    team_id text not null,
    seq integer not null,
    run_id text not null,
    status text not null,
    digest text not null,
    summary_digest text,
    sealed_at bigint not null,
    hash text not null,
    tombstone text,
    streamed_at bigint,
    primary key (team_id, seq)
  )`,
  `create index audit_chain_by_run on audit_chain (run_id)`,
  `create index audit_chain_to_stream on audit_chain (sealed_at) where streamed_at is null`,
  `create table audit_subscription (
    team_id text primary key,
    channel text not null,
    set_by text not null,
    set_at bigint not null,
    delivered_until bigint not null
  )`,
  `create table audit_delivery (
    team_id text not null,
    settled_at bigint not null,
    run_id text not null,
    primary key (team_id, settled_at, run_id)
  )`,
  `create table vps_alias (
    team_id text not null,
    vps text not null,
    alias text not null,
    alias_key text not null,
    set_by text not null,
    set_at bigint not null,
    primary key (team_id, vps),
    unique (team_id, alias_key)
  )`,
  `create table personal_settings (
    team_id text not null,
    user_id text not null,
    run_notices text not null,
    time_zone text,
    direct_channel text,
    primary key (team_id, user_id)
  )`,
  `create table service_payload (
    team_id text not null,
    endpoint text not null,
    findings text not null,
    fields text not null,
    learned_at bigint not null,
    primary key (team_id, endpoint)
  )`,
  `create table service_correction (
    team_id text not null,
    reading text not null,
    field text not null,
    unit text,
    set_by text not null,
    set_at bigint not null,
    missing_since bigint,
    primary key (team_id, reading)
  )`,
  `create table report (
    id text primary key,
    team_id text not null,
    name text not null,
    channel text not null,
    created_by text not null,
    created_at bigint not null,
    recurrence text not null,
    content text not null,
    state text not null,
    next_at bigint,
    posting_at bigint,
    last_due_at bigint,
    missed_since bigint,
    paused_at bigint,
    paused_by text,
    paused_reason text,
    pause_notified_at bigint,
    pause_notify_claimed_at bigint,
    failure_notified_due_at bigint,
    revision integer not null default 0
  )`,
  `create index report_by_time on report (state, next_at)`,
  `create unique index report_by_name on report (team_id, name) where state <> 'deleted'`,
  `create table report_baseline (
    report_id text primary key,
    baseline text not null
  )`,
  `create table vps_hourly_stats (
    team_id text not null,
    vps text not null,
    from_at bigint not null,
    until_at bigint not null,
    hourly_stats text not null,
    primary key (team_id, vps)
  )`,
  `create index vps_hourly_stats_to_delete on vps_hourly_stats (until_at)`,
  `create table watch (
    id text primary key,
    team_id text not null,
    name text not null,
    channel text not null,
    vps text not null,
    condition text not null,
    created_by text not null,
    created_at bigint not null,
    state text not null,
    revision integer not null,
    vps_states text not null,
    incident text,
    message_ts text,
    posting_at bigint,
    paused_at bigint,
    paused_by text,
    paused_reason text,
    pause_notified_at bigint,
    pause_notify_claimed_at bigint,
    notify text,
    escalate_to text,
    escalate_after bigint
  )`,
  `create unique index watch_by_name on watch (team_id, name) where state <> 'deleted'`,
  `create index watch_to_notify on watch (state, pause_notified_at)`,
  `create table past_alert (
    watch_id text not null,
    began_at bigint not null,
    ended_at bigint,
    team_id text not null,
    watch_name text not null,
    vps text not null,
    acknowledged_by text,
    acknowledged_at bigint,
    primary key (watch_id, began_at)
  )`,
  `create index past_alert_by_time on past_alert (team_id, began_at)`,
  `create index past_alert_to_delete on past_alert (began_at)`,
  `create table mute (
    team_id text not null,
    vps text not null,
    muted_until bigint not null,
    muted_by text not null,
    primary key (team_id, vps)
  )`,
  `create table maintenance (
    id text primary key,
    team_id text not null,
    name text not null,
    channel text not null,
    vps text not null,
    timing text not null,
    created_by text not null,
    created_at bigint not null,
    ended_at bigint,
    start_announced bigint,
    end_announced bigint,
    unique (team_id, name)
  )`,
  `create table schedule (
    id text primary key,
    team_id text not null,
    name text not null,
    channel text not null,
    created_by text not null,
    created_at bigint not null,
    act text not null,
    timing text not null,
    keep text,
    announce_ms bigint not null,
    state text not null,
    paused_reason text,
    paused_by text,
    approval text,
    next_at bigint,
    announced_at bigint,
    skipped_at bigint,
    skipped_by text,
    message_ts text,
    occurrence text,
    last_result text
  )`,
  `create index schedule_by_time on schedule (state, next_at)`,
  `create unique index schedule_by_name on schedule (team_id, name) where state <> 'deleted'`,
  `create table scheduled_snapshot (
    schedule_id text not null,
    vps text not null,
    name text not null,
    taken_at bigint not null,
    state text not null,
    primary key (schedule_id, vps, name)
  )`,
  `create table schedule_lock (
    team_id text not null,
    vps text not null,
    schedule_id text not null,
    primary key (team_id, vps)
  )`,
];
