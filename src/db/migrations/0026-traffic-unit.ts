import type { Migration } from 'kysely/migration';

/** Adds a person's preferred unit of network traffic. */
export const trafficUnit: Migration = {
  async up(db) {
    await db.schema
      .alterTable('personal_settings')
      .addColumn('traffic_unit', 'text', (column) => column.notNull().defaultTo('bytes'))
      .execute();
  },
};
