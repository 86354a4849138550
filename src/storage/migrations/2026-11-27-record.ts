import type { Migration } from 'kysely/migration';

export const record: Migration = {
  async up(db) {
    await db.schema.createIndex('run_by_time').on('run').columns(['team_id', 'requested_at', 'id']).execute();
    await db.schema
      .createIndex('run_by_person')
      .on('run')
      .columns(['team_id', 'user_id', 'requested_at', 'id'])
      .execute();
    await db.schema.createIndex('run_by_end').on('run').column('settled_at').execute();
    await db.schema.createIndex('run_by_team_end').on('run').columns(['team_id', 'settled_at']).execute();
    await db.schema.dropIndex('run_by_team').execute();
    await db.schema
      .createTable('record_follower')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addColumn('told_until', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('record_told')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('record_told_key', ['team_id', 'settled_at', 'run_id'])
      .execute();
    await db.schema
      .createTable('record_upkeep')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('done_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
