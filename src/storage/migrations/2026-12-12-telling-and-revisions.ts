import type { Migration } from 'kysely/migration';

export const tellingAndRevisions: Migration = {
  async up(db) {
    await db.schema.alterTable('report').addColumn('telling_at', 'bigint').execute();
    await db.schema.alterTable('report').addColumn('unmade_due', 'bigint').execute();
    await db.schema
      .alterTable('report')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('watch').addColumn('telling_at', 'bigint').execute();
  },
};
