import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets a run belong to a batch, and a person stop the batch. */
export const batches: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('batch_id', 'text').execute();
    await db.schema.alterTable('run').addColumn('stopped_by', 'text').execute();
    await sql`create index run_by_batch on run (batch_id) where batch_id is not null`.execute(db);
  },
};
