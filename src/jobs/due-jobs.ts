import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** How many jobs of a kind a process can start now. */
export interface KindCapacity {
  readonly kind: string;
  readonly free: number;
  readonly perWorkspace: number;
}

/** A job that can be claimed. */
export interface DueJob {
  readonly kind: string;
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  /** How many jobs of this kind are running in the workspace, in all processes. */
  readonly runningInWorkspace: number;
  /** Whether the process that had claimed it before has lost its lease. */
  readonly isAbandoned: boolean;
}

/**
 * Returns the due jobs of these kinds, oldest first. For each person, returns at most as many jobs
 * as could start at the same time, so that the result doesn't grow with a backlog.
 */
export async function listDueJobs(
  db: Database,
  { sqlNow }: DatabaseClock,
  capacities: readonly KindCapacity[],
): Promise<readonly DueJob[]> {
  const kinds = sql.join(
    capacities.map(
      ({ kind, free, perWorkspace }) =>
        sql`(cast(${kind} as text), cast(${Math.min(free, perWorkspace)} as integer))`,
    ),
  );
  const now = sqlNow();
  const { rows } = await sql<{
    kind: string;
    id: string;
    team_id: string;
    user_id: string;
    running: number;
    is_abandoned: number;
  }>`
    with capacity (kind, jobs) as (values ${kinds}),
    claimed as (
      select kind, team_id, count(*) as jobs from job
      where claim_token is not null and claimable_at > ${now}
      group by kind, team_id
    ),
    due as (
      select job.*, row_number() over (partition by kind, team_id, user_id order by claimable_at, id) as turn
      from job where claimable_at <= ${now}
    )
    select due.kind, due.id, due.team_id, due.user_id, coalesce(claimed.jobs, 0) as running,
      case when due.claim_token is null then 0 else 1 end as is_abandoned
    from due
    join capacity on capacity.kind = due.kind and due.turn <= capacity.jobs
    left join claimed on claimed.kind = due.kind and claimed.team_id = due.team_id
    order by due.claimable_at, due.id
  `.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    teamId: row.team_id,
    userId: row.user_id,
    runningInWorkspace: row.running,
    isAbandoned: row.is_abandoned === 1,
  }));
}

/** How many jobs are due, and when the next one will be. */
interface DueStatus {
  readonly nowMs: number;
  readonly dueCount: number;
  /** When the next job that isn't due yet can be claimed. */
  readonly nextMs: number | null;
}

/** Returns the database's time, and when these kinds have work. */
export async function findDueStatus(
  db: Database,
  { sqlNow }: DatabaseClock,
  kinds: readonly string[],
): Promise<DueStatus> {
  const now = sqlNow();
  const isKnown = kinds.length === 0 ? sql`1 = 0` : sql`kind in (${sql.join(kinds)})`;
  const { rows } = await sql<{ now_at: number; due: number; next_at: number | null }>`
    select ${now} as now_at,
      (select count(*) from job where claimable_at <= ${now} and ${isKnown}) as due,
      (select min(claimable_at) from job where claimable_at > ${now} and ${isKnown}) as next_at
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return { nowMs: row.now_at, dueCount: row.due, nextMs: row.next_at };
}
