import type { Migration } from 'kysely/migration';

/** Adds the refresh tokens of installations whose bot token expires. */
export const tokenRotation: Migration = {
  async up(db) {
    await db.schema.alterTable('installation').addColumn('refresh_token_jwe', 'text').execute();
    await db.schema.alterTable('installation').addColumn('token_expires_at', 'bigint').execute();
  },
};
