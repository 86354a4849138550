import type { Migration } from 'kysely/migration';

/** Stores what a run does, so that its messages need neither its operation nor its input. */
export const runTitle: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('title', 'text').execute();
  },
};
