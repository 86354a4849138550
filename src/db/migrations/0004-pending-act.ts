import type { Migration } from 'kysely/migration';

/** Adds acts on Rackhand's own data that wait for a second person. */
export const pendingAct: Migration = {
  async up(db) {
    await db.schema
      .createTable('pending_act')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('required_right', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('cards', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('decision', 'text')
      .addColumn('decided_by', 'text')
      .execute();
    await db.schema
      .createIndex('pending_act_by_subject')
      .on('pending_act')
      .columns(['team_id', 'kind', 'subject'])
      .execute();
  },
};
