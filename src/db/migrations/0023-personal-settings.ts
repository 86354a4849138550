import type { Migration } from 'kysely/migration';

/** Adds people's own settings, and the time of a person's message about the end of a run. */
export const personalSettings: Migration = {
  async up(db) {
    await db.schema
      .createTable('personal_settings')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('run_notices', 'text', (column) => column.notNull())
      .addColumn('list_style', 'text', (column) => column.notNull())
      .addColumn('time_zone', 'text')
      .addColumn('quiet_hours', 'text')
      .addColumn('direct_channel', 'text')
      .addPrimaryKeyConstraint('personal_settings_key', ['team_id', 'user_id'])
      .execute();
    await db.schema.alterTable('run').addColumn('notice_at', 'bigint').execute();
  },
};
