import type { Migration } from 'kysely/migration';

/** Adds the workspaces that the operator has suspended. */
export const suspendedWorkspace: Migration = {
  async up(db) {
    await db.schema
      .createTable('suspended_workspace')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('suspended_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
