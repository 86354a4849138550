import type { Migration } from 'kysely/migration';

/** Adds the VPS that people have starred for themselves. */
export const stars: Migration = {
  async up(db) {
    await db.schema
      .createTable('vps_star')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('starred_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('vps_star_key', ['team_id', 'user_id', 'vps'])
      .execute();
  },
};
