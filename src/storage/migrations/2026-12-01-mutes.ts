import type { Migration } from 'kysely/migration';

export const mutes: Migration = {
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
