import type { Migration } from 'kysely/migration';

/** Adds the unit in which a person wants network traffic. */
export const trafficUnit: Migration = {
  async up(db) {
    await db.schema
      .alterTable('personal_settings')
      .addColumn('traffic_unit', 'text', (column) => column.notNull().defaultTo('bytes'))
      .execute();
  },
};
