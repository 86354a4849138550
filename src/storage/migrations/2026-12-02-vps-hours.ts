import type { Migration } from 'kysely/migration';

export const vpsHours: Migration = {
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
