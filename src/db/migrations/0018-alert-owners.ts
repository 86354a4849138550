import type { Migration } from 'kysely/migration';

/** Adds the people that a watch notifies, and the alerts that have ended. */
export const alertOwners: Migration = {
  async up(db) {
    await db.schema.alterTable('watch').addColumn('notify', 'text').execute();
    await db.schema.alterTable('watch').addColumn('escalate_to', 'text').execute();
    await db.schema.alterTable('watch').addColumn('escalate_after', 'bigint').execute();
    await db.schema
      .createTable('past_alert')
      .addColumn('watch_id', 'text', (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('watch_name', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('acknowledged_by', 'text')
      .addColumn('acknowledged_at', 'bigint')
      .addPrimaryKeyConstraint('past_alert_key', ['watch_id', 'began_at'])
      .execute();
    await db.schema
      .createIndex('past_alert_by_time')
      .on('past_alert')
      .columns(['team_id', 'began_at'])
      .execute();
  },
};
