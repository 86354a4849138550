import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../src/db/engines/database.ts';
import { hourMs } from '../../../src/time/units.ts';

/** Tables that grow with use, or with the number of workspaces and of their people. */
export const growingTables = [
  'run',
  'job',
  'audit_chain',
  'report',
  'report_baseline',
  'watch',
  'past_alert',
  'vps_hourly_stats',
  'schedule',
  'scheduled_snapshot',
  'maintenance',
  'mute',
  'access_grant',
  'access_request',
  'approval_rule',
  'pending_act',
  'personal_settings',
  'vps_alias',
  'vps_star',
];

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
  for (const [table, columns, values] of listWorkspaceRows(now, later))
    await sql`
      insert into ${sql.table(table)} (${sql.raw(columns)}) select ${values}
      from (${numbered(rowCount)}) as numbered`.execute(db);
}

/** Rows of each other table. A workspace has five. */
const rowCount = 5_000;

/**
 * Lists tables, columns and values of rows. Active reports, watches, schedules and windows have a
 * job that isn't due while the test runs.
 */
function listWorkspaceRows(now: RawBuilder<unknown>, later: RawBuilder<unknown>) {
  const inOneOfTwo = sql`case when n % 2 = 0 then 'active' else 'deleted' end`;
  const dueAt = sql`${now} + ${sql.lit(20 * hourMs)}`;
  const job = (kind: string, id: RawBuilder<unknown>, payload: string) =>
    [
      'job',
      'kind, id, team_id, user_id, payload, due_at, claimable_at, attempts, revision',
      sql`${sql.lit(kind)}, ${id}, team, '', ${sql.lit(payload)}, ${dueAt}, ${dueAt}, 0, 0`,
    ] as const;
  const window = sql`'{"kind":"once","zone":"UTC","fromMs":' || ${later} || ',"untilMs":' || ${later} || '}'`;
  return [
    job('report', sql`'report-' || n`, '{"dueMs":null}'),
    job('schedule', sql`'schedule-' || n`, '{}'),
    job('maintenance', sql`'maintenance-' || n`, '{"running":null}'),
    job('run-progress', sql`'run-' || n`, '{"untilMs":4102444800000}'),
    [
      'report',
      'id, team_id, name, channel, created_by, created_at, recurrence, content, state, revision, next_at',
      sql`'report-' || n, team, 'report-' || n, 'C1', 'U1', ${now}, '{}', '{}', ${inOneOfTwo}, 0, ${later}`,
    ],
    ['report_baseline', 'report_id, baseline', sql`'report-' || n, '{}'`],
    [
      'watch',
      'id, team_id, name, channel, vps, condition, created_by, created_at, state, revision, vps_states',
      sql`'watch-' || n, team, 'watch-' || n, 'C1', '*', '{}', 'U1', ${now}, ${inOneOfTwo}, 0, '{}'`,
    ],
    [
      'past_alert',
      'watch_id, began_at, ended_at, team_id, watch_name, vps',
      sql`'watch-' || n, ${now} - n, ${now}, team, 'watch-' || n, '[]'`,
    ],
    [
      'vps_hourly_stats',
      'team_id, vps, from_at, until_at, hourly_stats',
      sql`team, 'VPS-' || n, ${now} - 1, ${now}, '[]'`,
    ],
    [
      'schedule',
      'id, team_id, name, channel, created_by, created_at, act, timing, announce_ms, state, next_at',
      sql`'schedule-' || n, team, 'schedule-' || n, 'C1', 'U1', ${now}, '{}', '{}', 0, ${inOneOfTwo}, ${later}`,
    ],
    [
      'scheduled_snapshot',
      'schedule_id, vps, name, taken_at, state',
      sql`'schedule-' || n, 'VPS-1', 'nightly', ${now}, 'available'`,
    ],
    [
      'maintenance',
      'id, team_id, name, channel, vps, timing, created_by, created_at',
      sql`'maintenance-' || n, team, 'window-' || n, 'C1', '*', ${window}, 'U1', ${now}`,
    ],
    ['mute', 'team_id, vps, muted_until, muted_by', sql`team, 'VPS-' || n, ${later}, 'U1'`],
    [
      'access_grant',
      'team_id, grantee, pattern, granted_right, granted_at',
      sql`team, 'U' || n, '*', 'view', ${now}`,
    ],
    [
      'access_request',
      'id, team_id, user_id, requested_right, patterns, cards, requested_at',
      sql`'request-' || n, team, 'U1', 'view', '[]', '[]', ${now}`,
    ],
    [
      'approval_rule',
      'id, team_id, applies_to, vps, created_by, created_at',
      sql`'rule-' || n, team, 'destroy', '*', 'U1', ${now}`,
    ],
    [
      'pending_act',
      'id, team_id, user_id, kind, subject, title, required_right, vps, cards, expires_at',
      sql`'act-' || n, team, 'U1', 'reveal', 'subject-' || n, 'Reveal', 'reveal', '[]', '[]', ${later}`,
    ],
    ['personal_settings', 'team_id, user_id, run_notices, list_style', sql`team, 'U' || n, 'off', 'table'`],
    [
      'vps_alias',
      'team_id, vps, alias, alias_key, set_by, set_at',
      sql`team, 'VPS-' || n, 'alias-' || n, 'alias-' || n, 'U1', ${now}`,
    ],
    ['vps_star', 'team_id, user_id, vps, starred_at', sql`team, 'U1', 'VPS-' || n, ${now}`],
  ] as const;
}
