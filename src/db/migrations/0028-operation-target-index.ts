import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Replaces a missing target by an empty text in the index on operations, because PostgreSQL doesn't
 * use the order of an index after the condition `is null`. Also drops an index that no query uses.
 */
export const operationTargetIndex: Migration = {
  async up(db) {
    await db.schema.dropIndex('run_by_operation').execute();
    await db.schema.dropIndex('run_unsuccessful').execute();
    await sql`
      create index run_by_operation on run (team_id, operation, coalesce(target, ''), requested_at, id)`.execute(
      db,
    );
  },
};
