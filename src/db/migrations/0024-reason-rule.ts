import type { Migration } from 'kysely/migration';

/** Adds which changes need a reason in a workspace. */
export const reasonRule: Migration = {
  async up(db) {
    await db.schema
      .createTable('reason_rule')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('applies_to', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
