import type { Migration } from 'kysely/migration';

/** Adds the user group that an approval rule asks. */
export const approvalGroups: Migration = {
  async up(db) {
    await db.schema.alterTable('approval_rule').addColumn('user_group', 'text').execute();
  },
};
