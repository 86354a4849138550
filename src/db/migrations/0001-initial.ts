import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The schema of the first release, in SQL for both SQLite and PostgreSQL. */
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
    log_kind text not null,
    input text not null,
    target text,
    origin text not null,
    status text not null,
    shown_state text,
    clicked_at bigint,
    not_after bigint,
    owner text,
    lease_until bigint,
    outcome text,
    error_code text,
    requested_at bigint not null,
    queued_at bigint,
    sent_at bigint,
    settled_at bigint,
    progress text,
    ask_id text,
    approved_by text,
    display_names text,
    trimmed_at bigint,
    title text,
    sealed_at bigint,
    response_url_jwe text,
    batch_id text,
    stopped_by text
  )`,
  `create index run_by_status on run (status, lease_until)`,
  `create index run_by_time on run (team_id, requested_at, id)`,
  `create index run_by_person on run (team_id, user_id, requested_at, id)`,
  `create index run_by_end on run (settled_at)`,
  `create index run_by_team_end on run (team_id, settled_at)`,
  `create index run_to_trim on run (settled_at) where trimmed_at is null`,
  `create index run_to_seal on run (settled_at) where sealed_at is null`,
  `create index run_by_batch on run (batch_id) where batch_id is not null`,
  `create index run_by_log_kind on run (team_id, log_kind, requested_at, id)`,
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
    dead_letter_reason text,
    primary key (kind, id)
  )`,
  `create index job_by_time on job (claimable_at)`,
  `create index job_claimed on job (claim_token) where claim_token is not null`,
  `create index job_dead_letter on job (kind) where dead_letter_reason is not null`,
  `create table message (
    team_id text not null,
    key text not null,
    kind text not null,
    content text not null,
    about text not null,
    creator text,
    channel text not null,
    moved_from text,
    fallbacks text not null,
    thread_ts text,
    thread_key text,
    is_minor integer not null,
    version bigint not null,
    shown_version bigint not null,
    posted_channel text,
    ts text,
    posting_at bigint,
    posted_at bigint,
    may_repeat integer not null,
    attempts integer not null,
    due_at bigint,
    changed_at bigint not null,
    given_up_at bigint,
    problem text,
    primary key (team_id, key)
  )`,
  `create index message_to_send on message (team_id, due_at) where due_at is not null`,
  `create index message_given_up on message (given_up_at) where given_up_at is not null`,
  `create index message_conversation on message (team_id, channel) where posted_channel is not null`,
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
    expires_at bigint not null default 0,
    primary key (team_id, grantee, pattern, expires_at)
  )`,
  `create index access_grant_to_delete on access_grant (expires_at)`,
  `create table channel_limit (
    team_id text not null,
    channel text not null,
    max_right text not null,
    set_by text,
    set_at bigint not null,
    primary key (team_id, channel)
  )`,
  `create table approval_rule (
    id text primary key,
    team_id text not null,
    needs text not null,
    applies_to text not null,
    vps text not null,
    channel text,
    created_by text not null,
    created_at bigint not null,
    user_group text
  )`,
  `create index approval_rule_by_team on approval_rule (team_id)`,
  `create table ask (
    id text primary key,
    team_id text not null,
    user_id text not null,
    kind text not null,
    subject text not null,
    title text not null,
    details text not null,
    required text not null,
    asked_at bigint not null,
    expires_at bigint not null,
    decision text,
    decided_by text,
    decided_at bigint,
    finished_at bigint
  )`,
  `create index ask_by_person on ask (team_id, user_id, kind)`,
  `create index ask_to_delete on ask (expires_at)`,
  `create index ask_unfinished on ask (decided_at) where finished_at is null`,
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
    primary key (team_id, reading)
  )`,
  `create table report_baseline (
    report_id text primary key,
    baseline text not null
  )`,
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
  `create table plan (
    id text primary key,
    team_id text not null,
    kind text not null,
    name text not null,
    channel text,
    created_by text not null,
    created_at bigint not null,
    spec text not null,
    progress text not null,
    state text not null,
    state_at bigint not null,
    paused_reason text,
    paused_by text,
    next_at bigint,
    skipped_at bigint,
    skipped_by text,
    occurrence text,
    version integer not null
  )`,
  `create unique index plan_by_name on plan (team_id, name) where state <> 'deleted'`,
  `create index plan_by_team on plan (team_id, state)`,
  `create table scheduled_snapshot (
    schedule_id text not null,
    vps text not null,
    name text not null,
    taken_at bigint not null,
    state text not null,
    primary key (schedule_id, vps, name)
  )`,
];
