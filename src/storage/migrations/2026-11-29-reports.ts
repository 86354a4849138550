import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const reports: Migration = {
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
