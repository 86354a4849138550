import type { Migration } from 'kysely/migration';

export const keyConnection: Migration = {
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('connected_by', 'text').execute();
    await db.schema.alterTable('api_key').addColumn('reminded_at', 'bigint').execute();
  },
};
