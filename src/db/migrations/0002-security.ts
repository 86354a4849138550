import type { Migration } from 'kysely/migration';

/** Adds the right to reveal secrets. */
export const security: Migration = {
  async up(db) {
    await db.schema
      .alterTable('access_grant')
      .addColumn('reveal_revoked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
