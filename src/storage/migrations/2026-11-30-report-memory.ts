import type { Migration } from 'kysely/migration';

export const reportMemory: Migration = {
  async up(db) {
    await db.schema
      .createTable('report_memory')
      .addColumn('report_id', 'text', (column) => column.primaryKey())
      .addColumn('reported', 'text', (column) => column.notNull())
      .execute();
  },
};
