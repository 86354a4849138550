import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

const initial: Migration = {
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
      .addColumn('shown', 'text')
      .addColumn('asked_again_at', 'bigint')
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
      .execute();
    await db.schema.createIndex('run_by_status').on('run').columns(['status', 'lease_until']).execute();
    await db.schema.createIndex('run_by_team').on('run').columns(['team_id', 'requested_at']).execute();
    await db.schema
      .createTable('quota_call')
      .addColumn('call_id', 'text', (column) => column.primaryKey())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('lane', 'text', (column) => column.notNull())
      .addColumn('left_at', 'bigint', (column) => column.notNull())
      .addColumn('answered_at', 'bigint')
      .execute();
    await db.schema.createIndex('quota_call_by_time').on('quota_call').column('left_at').execute();
    await db.schema
      .createTable('quota_pause')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('paused_from', 'bigint', (column) => column.notNull())
      .addColumn('paused_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('own_secret')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('secret_jwe', 'text', (column) => column.notNull())
      .execute();
  },
};

const followingAndSecrets: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('progress', 'text').execute();
    await db.schema
      .createTable('following')
      .addColumn('run_id', 'text', (column) => column.primaryKey())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('secret')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('secret_jwe', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('secret_by_expiry').on('secret').column('expires_at').execute();
  },
};

const keyConnection: Migration = {
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('connected_by', 'text').execute();
    await db.schema.alterTable('api_key').addColumn('reminded_at', 'bigint').execute();
  },
};

const approvals: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('approval_cards', 'text').execute();
    await db.schema.alterTable('run').addColumn('approved_by', 'text').execute();
    await db.schema
      .createTable('approval_rule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('channel', 'text')
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('approval_rule_by_team').on('approval_rule').column('team_id').execute();
  },
};

const rights: Migration = {
  async up(db) {
    await db.schema
      .createTable('access_grant')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('grantee', 'text', (column) => column.notNull())
      .addColumn('pattern', 'text', (column) => column.notNull())
      .addColumn('granted', 'text', (column) => column.notNull())
      .addColumn('granted_by', 'text')
      .addColumn('granted_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('access_grant_key', ['team_id', 'grantee', 'pattern'])
      .execute();
    await db.schema
      .createTable('channel_limit')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('most', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text')
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_limit_key', ['team_id', 'channel'])
      .execute();
    await db.schema
      .createTable('access_request')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('needed', 'text', (column) => column.notNull())
      .addColumn('patterns', 'text', (column) => column.notNull())
      .addColumn('cards', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('answered_by', 'text')
      .addColumn('answered_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('access_request_by_person')
      .on('access_request')
      .columns(['team_id', 'user_id', 'asked_at'])
      .execute();
  },
};

const record: Migration = {
  async up(db) {
    await db.schema.createIndex('run_by_time').on('run').columns(['team_id', 'requested_at', 'id']).execute();
    await db.schema
      .createIndex('run_by_person')
      .on('run')
      .columns(['team_id', 'user_id', 'requested_at', 'id'])
      .execute();
    await db.schema.createIndex('run_by_end').on('run').column('settled_at').execute();
    await db.schema.createIndex('run_by_team_end').on('run').columns(['team_id', 'settled_at']).execute();
    await db.schema.dropIndex('run_by_team').execute();
    await db.schema
      .createTable('record_follower')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addColumn('told_until', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('record_told')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('record_told_key', ['team_id', 'settled_at', 'run_id'])
      .execute();
    await db.schema
      .createTable('record_upkeep')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('done_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

const orgWorkspaces: Migration = {
  async up(db) {
    await db.schema
      .createTable('org_workspace')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('enterprise_id', 'text', (column) => column.notNull())
      .execute();
  },
};

const reports: Migration = {
  async up(db) {
    await db.schema
      .createTable('report')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('recurrence', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('claim', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('not_before', 'bigint', (column) => column.notNull())
      .addColumn('posting_at', 'bigint')
      .addColumn('ended_due', 'bigint')
      .addColumn('skipped_since', 'bigint')
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_by', 'text')
      .addColumn('paused_reason', 'text')
      .addColumn('told_at', 'bigint')
      .execute();
    await db.schema.createIndex('report_by_time').on('report').columns(['state', 'next_at']).execute();
    await db.schema
      .createIndex('report_by_name')
      .on('report')
      .columns(['team_id', 'name'])
      .unique()
      .where(sql.ref('state'), '!=', 'deleted')
      .execute();
  },
};

const reportMemory: Migration = {
  async up(db) {
    await db.schema
      .createTable('report_memory')
      .addColumn('report_id', 'text', (column) => column.primaryKey())
      .addColumn('reported', 'text', (column) => column.notNull())
      .execute();
  },
};

const mutes: Migration = {
  async up(db) {
    await db.schema
      .createTable('mute')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('muted_by', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('mute_key', ['team_id', 'vps'])
      .execute();
  },
};

const vpsHours: Migration = {
  async up(db) {
    await db.schema
      .createTable('vps_hours')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('from_at', 'bigint', (column) => column.notNull())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('hours', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('vps_hours_key', ['team_id', 'vps'])
      .execute();
  },
};

const migrations: Record<string, Migration> = {
  '2026-11-21-initial': initial,
  '2026-11-22-following-and-secrets': followingAndSecrets,
  '2026-11-24-key-connection': keyConnection,
  '2026-11-25-approvals': approvals,
  '2026-11-26-rights': rights,
  '2026-11-27-record': record,
  '2026-11-28-org-workspaces': orgWorkspaces,
  '2026-11-29-reports': reports,
  '2026-11-30-report-memory': reportMemory,
  '2026-12-01-mutes': mutes,
  '2026-12-02-vps-hours': vpsHours,
};

/** Brings the database to the present schema; several replicas may do so at once. */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
