import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the indexes for reading the activity log by kind, and for deleting expired rows of all
 * workspaces.
 */
export const queryIndexes: Migration = {
  async up(db) {
    await db.schema
      .createIndex('run_by_operation_and_time')
      .on('run')
      .columns(['team_id', 'operation', 'requested_at', 'id'])
      .execute();
    await db.schema
      .createIndex('run_by_person_and_operation')
      .on('run')
      .columns(['team_id', 'user_id', 'operation', 'requested_at', 'id'])
      .execute();
    await sql`
      create index run_failed on run (team_id, operation, requested_at, id)
      where status in ('refused', 'failed', 'unknown', 'expired')
        and coalesce(error_code, '') <> 'input_invalid'
        and (coalesce(error_code, '') <> 'not_found' or sent_at is not null)
        and (coalesce(error_code, '') <> 'cancelled' or outcome like '%"decidedBy":%')`.execute(db);
    await sql`
      create index run_denied on run (team_id, requested_at, id)
      where error_code = 'not_permitted'`.execute(db);
    await sql`
      create index run_log_change on run (team_id, requested_at, id)
      where input like '%"export":%' or input like '%"to":%'`.execute(db);
    for (const [table, column] of [
      ['past_alert', 'began_at'],
      ['vps_hourly_stats', 'until_at'],
      ['access_request', 'requested_at'],
      ['pending_act', 'expires_at'],
    ] as const)
      await db.schema.createIndex(`${table}_to_delete`).on(table).column(column).execute();
  },
};
