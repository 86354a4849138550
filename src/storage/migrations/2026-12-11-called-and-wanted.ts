import type { Migration } from 'kysely/migration';

export const calledAndWanted: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('called', 'text').execute();
    await db.schema.alterTable('access_request').addColumn('wanted', 'text').execute();
  },
};
