import type { Migration } from 'kysely/migration';

export const rights: Migration = {
  async up(db) {
    await db.schema
      .createTable('access_grant')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('grantee', 'text', (column) => column.notNull())
      .addColumn('pattern', 'text', (column) => column.notNull())
      .addColumn('granted', 'text', (column) => column.notNull())
      .addColumn('granted_by', 'text')
      .addColumn('granted_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('access_grant_key', ['team_id', 'grantee', 'pattern'])
      .execute();
    await db.schema
      .createTable('channel_limit')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('most', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text')
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_limit_key', ['team_id', 'channel'])
      .execute();
    await db.schema
      .createTable('access_request')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('needed', 'text', (column) => column.notNull())
      .addColumn('patterns', 'text', (column) => column.notNull())
      .addColumn('cards', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('answered_by', 'text')
      .addColumn('answered_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('access_request_by_person')
      .on('access_request')
      .columns(['team_id', 'user_id', 'asked_at'])
      .execute();
  },
};
