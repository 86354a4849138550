import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Turns the evaluation of each workspace's watches into a job. Spreads them over a minute. */
export const watchJobs: Migration = {
  async up(db) {
    await sql`
      insert into job (kind, id, team_id, user_id, payload, due_at, claimable_at, attempts, revision)
      select 'watch-evaluation', team_id, team_id, '', '{"lastVps":null,"intervalMs":null,"calls":0}',
        next_at + 1000 * (row_number() over (order by team_id) % 60), next_at, 0, 0
      from watch_evaluation`.execute(db);
    await db.schema.dropTable('watch_evaluation').execute();
  },
};
