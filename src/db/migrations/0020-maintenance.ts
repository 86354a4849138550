import type { Migration } from 'kysely/migration';

/** Adds maintenance windows. */
export const maintenance: Migration = {
  async up(db) {
    await db.schema
      .createTable('maintenance')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('timing', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('start_announced', 'bigint')
      .addColumn('end_announced', 'bigint')
      .addUniqueConstraint('maintenance_name', ['team_id', 'name'])
      .execute();
  },
};
