import type { Migration } from 'kysely/migration';

export const orgWorkspaces: Migration = {
  async up(db) {
    await db.schema
      .createTable('org_workspace')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('enterprise_id', 'text', (column) => column.notNull())
      .execute();
  },
};
