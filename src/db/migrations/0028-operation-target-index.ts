import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Makes the index on operations hold a text where there is no target. PostgreSQL doesn't read an
 * index in the order of its next columns if the condition is `is null`. Also drops an index that no
 * query uses.
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
