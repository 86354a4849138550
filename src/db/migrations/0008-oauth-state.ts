import type { Migration } from 'kysely/migration';

/** Adds the OAuth states that were used, so that each works once. */
export const oauthState: Migration = {
  async up(db) {
    await db.schema
      .createTable('used_oauth_state')
      .addColumn('digest', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
