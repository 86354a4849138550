import type { Migration } from 'kysely/migration';

export const followingAndSecrets: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('progress', 'text').execute();
    await db.schema
      .createTable('following')
      .addColumn('run_id', 'text', (column) => column.primaryKey())
      .addColumn('until_at', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('secret')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('secret_jwe', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('secret_by_expiry').on('secret').column('expires_at').execute();
  },
};
