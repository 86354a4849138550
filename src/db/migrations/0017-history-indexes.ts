import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the indexes for reading the activity log of one VPS, and of unsuccessful runs. */
export const historyIndexes: Migration = {
  async up(db) {
    await db.schema
      .createIndex('run_by_target')
      .on('run')
      .columns(['team_id', 'target', 'requested_at', 'id'])
      .execute();
    await db.schema
      .createIndex('run_by_operation')
      .on('run')
      .columns(['team_id', 'operation', 'target', 'requested_at', 'id'])
      .execute();
    await sql`
      create index run_unsuccessful on run (team_id, requested_at, id)
      where status in ('refused', 'failed', 'unknown', 'expired')`.execute(db);
  },
};
