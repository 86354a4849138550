import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createServiceTables } from '../schema/service-tables.ts';

/** The whole schema of the first release. */
export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('installation')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('team_name', 'text', (column) => column.notNull())
      .addColumn('enterprise_id', 'text')
      .addColumn('bot_token_jwe', 'text', (column) => column.notNull())
      .addColumn('bot_id', 'text', (column) => column.notNull())
      .addColumn('bot_user_id', 'text', (column) => column.notNull())
      .addColumn('installed_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('api_key')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('api_key_jwe', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('quota', 'integer', (column) => column.notNull())
      .addColumn('connected_at', 'bigint', (column) => column.notNull())
      .addColumn('connected_by', 'text')
      .addColumn('reminded_at', 'bigint')
      .execute();
    await db.schema
      .createTable('run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('request_key', 'text', (column) => column.notNull().unique())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('shown_state', 'text')
      .addColumn('reconfirmed_at', 'bigint')
      .addColumn('not_after', 'bigint')
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('outcome', 'text')
      .addColumn('error_code', 'text')
      .addColumn('requested_at', 'bigint', (column) => column.notNull())
      .addColumn('queued_at', 'bigint')
      .addColumn('sent_at', 'bigint')
      .addColumn('settled_at', 'bigint')
      .addColumn('progress', 'text')
      .addColumn('approval_cards', 'text')
      .addColumn('approved_by', 'text')
      .addColumn('display_names', 'text')
      .execute();
    await db.schema.createIndex('run_by_status').on('run').columns(['status', 'lease_until']).execute();
    await db.schema.createIndex('run_by_time').on('run').columns(['team_id', 'requested_at', 'id']).execute();
    await db.schema
      .createIndex('run_by_person')
      .on('run')
      .columns(['team_id', 'user_id', 'requested_at', 'id'])
      .execute();
    await db.schema.createIndex('run_by_end').on('run').column('settled_at').execute();
    await db.schema.createIndex('run_by_team_end').on('run').columns(['team_id', 'settled_at']).execute();
    await db.schema
      .createTable('quota_call')
      .addColumn('call_id', 'text', (column) => column.primaryKey())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('lane', 'text', (column) => column.notNull())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addColumn('responded_at', 'bigint')
      .execute();
    await db.schema.createIndex('quota_call_by_time').on('quota_call').column('sent_at').execute();
    await db.schema
      .createTable('quota_pause')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('paused_from', 'bigint', (column) => column.notNull())
      .addColumn('paused_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('instance_secret')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('secret_jwe', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('progress_poll')
      .addColumn('run_id', 'text', (column) => column.primaryKey())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('one_time_secret')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('secret_jwe', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('one_time_secret_by_expiry')
      .on('one_time_secret')
      .column('expires_at')
      .execute();
    await db.schema
      .createTable('approval_rule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('applies_to', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('channel', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('approval_rule_by_team').on('approval_rule').column('team_id').execute();
    await db.schema
      .createTable('access_grant')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('grantee', 'text', (column) => column.notNull())
      .addColumn('pattern', 'text', (column) => column.notNull())
      .addColumn('granted_right', 'text', (column) => column.notNull())
      .addColumn('granted_by', 'text')
      .addColumn('granted_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('access_grant_key', ['team_id', 'grantee', 'pattern'])
      .execute();
    await db.schema
      .createTable('channel_limit')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('max_right', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text')
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_limit_key', ['team_id', 'channel'])
      .execute();
    await db.schema
      .createTable('access_request')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('requested_right', 'text', (column) => column.notNull())
      .addColumn('patterns', 'text', (column) => column.notNull())
      .addColumn('cards', 'text', (column) => column.notNull())
      .addColumn('requested_at', 'bigint', (column) => column.notNull())
      .addColumn('decision', 'text')
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'bigint')
      .addColumn('requested_step', 'text')
      .execute();
    await db.schema
      .createIndex('access_request_by_person')
      .on('access_request')
      .columns(['team_id', 'user_id', 'requested_at'])
      .execute();
    await db.schema
      .createTable('audit_subscription')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addColumn('delivered_until', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('audit_delivery')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_delivery_key', ['team_id', 'settled_at', 'run_id'])
      .execute();
    await db.schema
      .createTable('periodic_task')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('last_run_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('org_workspace')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('enterprise_id', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('report')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('recurrence', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('claim_token', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('not_before', 'bigint', (column) => column.notNull())
      .addColumn('posting_at', 'bigint')
      .addColumn('last_due_at', 'bigint')
      .addColumn('missed_since', 'bigint')
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_by', 'text')
      .addColumn('paused_reason', 'text')
      .addColumn('pause_notified_at', 'bigint')
      .addColumn('pause_notify_claimed_at', 'bigint')
      .addColumn('failure_notified_due_at', 'bigint')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('report_by_time').on('report').columns(['state', 'next_at']).execute();
    await db.schema
      .createIndex('report_by_name')
      .on('report')
      .columns(['team_id', 'name'])
      .unique()
      .where(sql.ref('state'), '!=', 'deleted')
      .execute();
    await db.schema
      .createTable('report_baseline')
      .addColumn('report_id', 'text', (column) => column.primaryKey())
      .addColumn('baseline', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('vps_alias')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('alias', 'text', (column) => column.notNull())
      .addColumn('alias_key', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('vps_alias_key', ['team_id', 'vps'])
      .addUniqueConstraint('vps_alias_unique', ['team_id', 'alias_key'])
      .execute();
    await db.schema
      .createTable('mute')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('muted_until', 'bigint', (column) => column.notNull())
      .addColumn('muted_by', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('mute_key', ['team_id', 'vps'])
      .execute();
    await db.schema
      .createTable('vps_hourly_stats')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('from_at', 'bigint', (column) => column.notNull())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('hourly_stats', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('vps_hourly_stats_key', ['team_id', 'vps'])
      .execute();
    await db.schema
      .createTable('watch')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('condition', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('vps_states', 'text', (column) => column.notNull())
      .addColumn('incident', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('posting_at', 'bigint')
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_by', 'text')
      .addColumn('paused_reason', 'text')
      .addColumn('pause_notified_at', 'bigint')
      .addColumn('pause_notify_claimed_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('watch_by_name')
      .on('watch')
      .columns(['team_id', 'name'])
      .unique()
      .where(sql.ref('state'), '!=', 'deleted')
      .execute();
    await db.schema
      .createTable('watch_evaluation')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('last_vps', 'text')
      .addColumn('interval_ms', 'bigint')
      .addColumn('call_count', 'integer', (column) => column.notNull())
      .addColumn('claim_token', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await createServiceTables(db);
  },
};
