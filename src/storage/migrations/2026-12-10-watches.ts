import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const watches: Migration = {
  async up(db) {
    await db.schema
      .createTable('watch')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('condition', 'text', (column) => column.notNull())
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('courses', 'text', (column) => column.notNull())
      .addColumn('incident', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('posting_at', 'bigint')
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_by', 'text')
      .addColumn('paused_reason', 'text')
      .addColumn('told_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('watch_by_name')
      .on('watch')
      .columns(['team_id', 'name'])
      .unique()
      .where(sql.ref('state'), '!=', 'deleted')
      .execute();
    await db.schema
      .createTable('watch_round')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('last_vps', 'text')
      .addColumn('every_ms', 'bigint')
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addColumn('claim', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
  },
};
