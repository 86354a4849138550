import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds scheduled acts, the snapshots that they have taken, and the VPS on which they are working.
 */
export const schedules: Migration = {
  async up(db) {
    await db.schema
      .createTable('schedule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('act', 'text', (column) => column.notNull())
      .addColumn('timing', 'text', (column) => column.notNull())
      .addColumn('keep', 'text')
      .addColumn('announce_ms', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('paused_reason', 'text')
      .addColumn('paused_by', 'text')
      .addColumn('approval', 'text')
      .addColumn('next_at', 'bigint')
      .addColumn('announced_at', 'bigint')
      .addColumn('skipped_at', 'bigint')
      .addColumn('skipped_by', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('occurrence', 'text')
      .addColumn('last_result', 'text')
      .execute();
    await db.schema.createIndex('schedule_by_time').on('schedule').columns(['state', 'next_at']).execute();
    await db.schema
      .createIndex('schedule_by_name')
      .on('schedule')
      .columns(['team_id', 'name'])
      .unique()
      .where(sql.ref('state'), '!=', 'deleted')
      .execute();
    await db.schema
      .createTable('scheduled_snapshot')
      .addColumn('schedule_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('scheduled_snapshot_key', ['schedule_id', 'vps', 'name'])
      .execute();
    await db.schema
      .createTable('schedule_lock')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('schedule_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('schedule_lock_key', ['team_id', 'vps'])
      .execute();
  },
};
