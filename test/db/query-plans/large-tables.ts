import { sql } from 'kysely';
import type { Database } from '../../../src/db/engines/database.ts';

/**
 * Tables that grow with use. The others have a few rows for each workspace, or lose their rows
 * after minutes.
 */
export const growingTables = ['run', 'job', 'audit_chain', 'report', 'watch'];

const farFutureMs = Date.UTC(2100, 0, 1);

/** Settled runs of all workspaces. With 1,000,000 the tests of query plans take minutes. */
export const runCount = Number(process.env.PLAN_RUNS ?? 20_000);

/** Rows that one statement adds, so that it ends before the timeout of a query. */
const batchSize = 20_000;

/** Numbers `n`, and the workspace of each. 1,000 workspaces take turns. */
const numbered = (count: number, first = 0) => sql`
  select n, 'T' || (n % 1000) as team
  from (
    with recursive counter(n) as (
      select ${sql.lit(first)} union all select n + 1 from counter where n < ${sql.lit(first + count - 1)}
    )
    select n from counter
  ) as counted`;

/**
 * Fills the tables that grow with use as 1,000 other workspaces would, with so many rows that a
 * planner prefers an index where there is one. None of the rows causes work.
 */
export async function fillGrowingTables(db: Database, nowMs: number): Promise<void> {
  const [now, later] = [sql.lit(nowMs), sql.lit(farFutureMs)];
  for (let first = 0; first < runCount; first += batchSize) {
    await sql`
      insert into run (id, request_key, team_id, user_id, operation, input, target, origin, status, outcome,
        requested_at, queued_at, settled_at, sealed_at, trimmed_at)
      select 'run-' || n, 'key-' || n, team, 'U' || (n % 7), 'show', '{"vps":"VPS-10001"}', 'VPS-10001',
        '{"kind":"command"}', 'done', '{"kind":"outcome","outcome":{"title":"VPS"}}',
        ${now} - cast(n as bigint) * 60000, ${now} - cast(n as bigint) * 60000, ${now} - cast(n as bigint) * 60000, ${now}, ${now}
      from (${numbered(batchSize, first)}) as numbered`.execute(db);
    await sql`
      insert into audit_chain (team_id, seq, run_id, status, digest, sealed_at, hash, streamed_at)
      select team, 1 + n / 1000, 'run-' || n, 'done', 'digest', ${now}, 'hash', ${now}
      from (${numbered(batchSize, first)}) as numbered`.execute(db);
  }
  await sql`
    insert into job (kind, id, team_id, user_id, payload, due_at, claimable_at, attempts, revision)
    select 'report', 'job-' || n, team, '', '{"dueMs":null}', ${later}, ${later}, 0, 0
    from (${numbered(5_000)}) as numbered`.execute(db);
  await sql`
    insert into report (id, team_id, name, channel, created_by, created_at, recurrence, content, state, revision,
      paused_at)
    select 'report-' || n, team, 'report-' || n, 'C1', 'U1', ${now}, '{}', '{}', 'deleted', 0, ${now}
    from (${numbered(5_000)}) as numbered`.execute(db);
  await sql`
    insert into watch (id, team_id, name, channel, vps, condition, created_by, created_at, state, revision,
      vps_states, paused_at)
    select 'watch-' || n, team, 'watch-' || n, 'C1', '*', '{}', 'U1', ${now}, 'deleted', 0, '{}', ${now}
    from (${numbered(5_000)}) as numbered`.execute(db);
}
