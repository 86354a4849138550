import type { Migration } from 'kysely/migration';

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
