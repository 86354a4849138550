import type { Migration } from 'kysely/migration';

export const approvals: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('approval_cards', 'text').execute();
    await db.schema.alterTable('run').addColumn('approved_by', 'text').execute();
    await db.schema
      .createTable('approval_rule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('vps', 'text', (column) => column.notNull())
      .addColumn('channel', 'text')
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('approval_rule_by_team').on('approval_rule').column('team_id').execute();
  },
};
