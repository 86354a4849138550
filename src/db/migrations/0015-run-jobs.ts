import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Turns the polls of runs' progress into jobs. */
export const runJobs: Migration = {
  async up(db) {
    await sql`
      insert into job (kind, id, team_id, user_id, payload, due_at, claimable_at, attempts, revision)
      select 'run-progress', run_id, run.team_id, run.user_id, '{"untilMs":' || until_at || '}', 0, 0, 0, 0
      from progress_poll join run on run.id = progress_poll.run_id`.execute(db);
    await db.schema.dropTable('progress_poll').execute();
  },
};
