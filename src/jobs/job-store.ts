import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, PostgresAdapter, type Selectable, sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { JobTable } from '../db/schema/job-table.ts';
import type { Schema } from '../db/schema/schema.ts';
import { wasUpdated } from '../db/was-updated.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { JobKind } from './job-kind.ts';

/** How long a claim lasts unless renewed. */
export const leaseMs = 30_000;

/** Maximum number of IDs listed for jobs that can't run. */
const maxListed = 20;

/** A job to store. `payload` is JSON. */
export interface StoredJob {
  readonly kind: string;
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly payload: string;
  /** Defaults to now. */
  readonly dueMs?: number | undefined;
}

/** The properties that a claim needs. */
type ClaimableKind = Pick<JobKind<unknown>, 'name' | 'maxWaitMs'>;

export interface ClaimedJob extends StoredJob {
  readonly dueMs: number;
  readonly token: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly revision: number;
  readonly claimedMs: number;
}

/** Jobs of one kind that can't run for the same reason. */
export interface DeadLetteredJobs {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
  /** At most 20 IDs. */
  readonly ids: readonly string[];
}

const unclaimed = { claim_token: null } as const;

/** Creates the job store, which replicas can share. Only the process that holds a job's claim token can end the job. */
export function createJobStore(db: Database, { sqlNow }: DatabaseClock) {
  const canSkipLocked = db.getExecutor().adapter instanceof PostgresAdapter;
  const held = (job: ClaimedJob) => db.updateTable('job').where(isHeld(job));
  const timeOf = (dueMs: number | undefined) =>
    dueMs === undefined ? sqlNow() : sql<number>`cast(${Math.ceil(dueMs)} as bigint)`;
  const newRow = ({ kind, id, teamId, userId, payload, dueMs }: StoredJob) => ({
    kind,
    id,
    team_id: teamId,
    user_id: userId,
    payload,
    due_at: timeOf(dueMs),
    claimable_at: timeOf(dueMs),
    attempts: 0,
    revision: 0,
    dead_letter_reason: null,
    ...unclaimed,
  });

  /** Groups jobs that can't run by kind and reason, with up to 20 IDs each. */
  function groupUnrunnable(
    rows: readonly { kind: string; id: string; reason: string }[],
  ): DeadLetteredJobs[] {
    return [...Map.groupBy(rows, ({ kind, reason }) => JSON.stringify([kind, reason])).values()].flatMap(
      (jobs) =>
        jobs.slice(0, 1).map(({ kind, reason }) => ({
          kind,
          reason,
          count: jobs.length,
          ids: jobs.slice(0, maxListed).map(({ id }) => id),
        })),
    );
  }

  return {
    /** Stores a job, or replaces it. An attempt in progress loses its lease. */
    async schedule(job: StoredJob, executor: Database = db): Promise<void> {
      const row = newRow(job);
      const { kind: _, id: __, revision: ___, ...values } = row;
      await executor
        .insertInto('job')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'id'])
            .doUpdateSet((old) => ({ ...values, revision: old('job.revision', '+', 1) })),
        )
        .execute();
    },

    /** Stores a job unless it already exists. */
    async add(job: StoredJob): Promise<void> {
      await db
        .insertInto('job')
        .values(newRow(job))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /**
     * Stores a job. A job that's already waiting is moved up to `dueMs`, but never postponed. A running
     * job runs once more afterwards.
     */
    async ensure(job: StoredJob, executor: Database = db): Promise<void> {
      const isLater = sql`job.claim_token is null and job.claimable_at > excluded.claimable_at`;
      const sooner = (column: 'due_at' | 'claimable_at') =>
        sql<number>`case when ${isLater} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`job.${column}`)} end`;
      await executor
        .insertInto('job')
        .values(newRow(job))
        .onConflict((conflict) =>
          conflict.columns(['kind', 'id']).doUpdateSet((row) => ({
            revision: row('job.revision', '+', 1),
            due_at: sooner('due_at'),
            claimable_at: sooner('claimable_at'),
          })),
        )
        .execute();
    },

    /** Deletes a job. An attempt in progress loses its lease. */
    async cancel(kind: string, id: string, executor: Database = db): Promise<void> {
      await executor.deleteFrom('job').where('kind', '=', kind).where('id', '=', id).execute();
    },

    async findPayload(kind: string, id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('job')
        .select('payload')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.payload;
    },

    /** Returns the database's time, the kinds with due jobs, and when the next job is due. */
    async lookAhead(kinds: readonly ClaimableKind[]) {
      const now = sqlNow();
      const names = kinds.map(({ name }) => name);
      const isKnown = names.length === 0 ? sql`1 = 0` : sql`kind in (${sql.join(names)})`;
      const isMisdated = kinds.flatMap(({ name, maxWaitMs }) =>
        maxWaitMs === undefined ? [] : [sql`(kind = ${name} and claimable_at > ${now} + ${maxWaitMs})`],
      );
      const isDue = sql.join([sql`claimable_at <= ${now}`, ...isMisdated], sql` or `);
      const { rows } = await sql<{ now_at: number; next_at: number | null; kind: string | null }>`
        select ${now} as now_at, min(claimable_at) as next_at, null as kind from job
          where claimable_at > ${now} and ${isKnown}
        union all
        select distinct ${now}, cast(null as bigint), kind from job where (${isDue}) and ${isKnown}
      `.execute(db);
      const [first] = rows;
      if (!first) throw new Error('the database returned no time');
      const nextMs = rows.find(({ kind }) => kind === null)?.next_at ?? null;
      return { nowMs: first.now_at, nextMs, dueKinds: rows.flatMap(({ kind }) => kind ?? []) };
    },

    /**
     * Claims up to `limit` due jobs of a kind, oldest first. On PostgreSQL, skips jobs that another
     * process is claiming. Leaves out jobs with `ownTokens`, which are still running in this process even
     * if a clock that jumped ahead has ended their leases.
     */
    async claim(
      { name: kind, maxWaitMs }: ClaimableKind,
      limit: number,
      ownTokens: readonly string[] = [],
    ): Promise<readonly ClaimedJob[]> {
      const now = sqlNow();
      const rows = await db
        .with('chosen', (chosen) =>
          chosen
            .selectFrom('job')
            .select('id')
            .where('kind', '=', kind)
            .where((row) =>
              row.or([
                row('claimable_at', '<=', now),
                ...(maxWaitMs === undefined
                  ? []
                  : [row('claimable_at', '>', sql<number>`${now} + ${maxWaitMs}`)]),
              ]),
            )
            .where(({ or, eb }) =>
              or([eb('claim_token', 'is', null), eb('claim_token', 'not in', ['', ...ownTokens])]),
            )
            .orderBy('claimable_at')
            .orderBy('id')
            .limit(limit)
            .$if(canSkipLocked, (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('job')
        .set((old) => ({
          claim_token: sql<string>`cast(${randomUUID()} as text) || '/' || kind || '/' || id`,
          claimable_at: sql<number>`${now} + ${leaseMs}`,
          attempts: old('attempts', '+', 1),
        }))
        .where('kind', '=', kind)
        .where('id', 'in', ({ selectFrom }) => selectFrom('chosen').select('chosen.id'))
        .returningAll()
        .execute();
      return rows.map(toClaimedJob).sort((one, other) => one.dueMs - other.dueMs);
    },

    /** Extends the leases of claims. Returns the tokens of the claims that are still held. */
    async renew(tokens: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .updateTable('job')
        .set({ claimable_at: sql<number>`${sqlNow()} + ${leaseMs}` })
        .where('claim_token', 'in', [...tokens])
        .returning('claim_token')
        .execute();
      return new Set(rows.flatMap(({ claim_token }) => claim_token ?? []));
    },

    /** Deletes a job, or makes it due if it was scheduled again during the attempt. Returns true if it's due again. */
    async finish(job: ClaimedJob): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('job')
        .where(isHeld(job))
        .where('revision', '=', job.revision)
        .executeTakeFirst();
      if (numDeletedRows === 1n) return false;
      const now = sqlNow();
      return wasUpdated(held(job).set({ ...unclaimed, attempts: 0, due_at: now, claimable_at: now }));
    },

    /**
     * Schedules a job's next attempt or repetition, at once if the job was scheduled again during this attempt.
     * Returns when the job is due, or undefined if the claim was lost.
     */
    async reschedule(
      job: ClaimedJob,
      { atMs, attempts, payload }: { atMs: number; attempts: number; payload?: string | undefined },
    ): Promise<number | undefined> {
      const dueMs = Math.ceil(atMs);
      const dueAt = sql<number>`case when revision = ${job.revision} then cast(${dueMs} as bigint) else ${sqlNow()} end`;
      const row = await held(job)
        .set({
          ...unclaimed,
          ...(payload !== undefined && { payload }),
          attempts,
          due_at: dueAt,
          claimable_at: dueAt,
          dead_letter_reason: null,
        })
        .returning('claimable_at')
        .executeTakeFirst();
      return row?.claimable_at;
    },

    /** Releases claims, so another process can continue at once. */
    async release(jobs: readonly ClaimedJob[]): Promise<void> {
      for (const job of jobs)
        await held(job)
          .set((old) => ({ ...unclaimed, attempts: old('attempts', '-', 1), claimable_at: sqlNow() }))
          .execute();
    },

    /** Releases a job with the reason why it was dead-lettered. The job can't be claimed again for `forMs`. */
    async deadLetter(job: ClaimedJob, reason: string, forMs: number): Promise<void> {
      await held(job)
        .set((old) => ({
          ...unclaimed,
          attempts: old('attempts', '-', 1),
          claimable_at: sql<number>`${sqlNow()} + ${forMs}`,
          dead_letter_reason: reason,
        }))
        .execute();
    },

    /** Releases all claims. Only for a database that no other process can use. */
    async releaseAll(): Promise<void> {
      await db
        .updateTable('job')
        .set({ ...unclaimed, claimable_at: sqlNow() })
        .where('claim_token', 'is not', null)
        .execute();
    },

    async countDue(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('job')
        .select((row) => ['kind', row.fn.countAll<number>().as('jobs')])
        .where('claimable_at', '<=', sqlNow())
        .groupBy('kind')
        .execute();
      return new Map(rows.map(({ kind, jobs }) => [kind, Number(jobs)]));
    },

    async listDeadLettered(): Promise<readonly DeadLetteredJobs[]> {
      const rows = await db
        .selectFrom('job')
        .select(['kind', 'id', 'dead_letter_reason'])
        .where('dead_letter_reason', 'is not', null)
        .orderBy('id')
        .execute();
      return groupUnrunnable(rows.map((row) => ({ ...row, reason: row.dead_letter_reason ?? '' })));
    },

    /** Lists jobs of kinds that this version doesn't know. A newer version may run them. */
    async listUnknown(knownKinds: readonly string[]): Promise<readonly DeadLetteredJobs[]> {
      const rows = await db
        .selectFrom('job')
        .select(['kind', 'id'])
        .where('kind', 'not in', [...knownKinds])
        .orderBy('id')
        .execute();
      return groupUnrunnable(rows.map((row) => ({ ...row, reason: 'unknown kind' })));
    },
  };
}

/** Matches a job's row while its claim is valid. */
function isHeld({ kind, id, token }: ClaimedJob) {
  return ({ and }: ExpressionBuilder<Schema, 'job'>) => and({ kind, id, claim_token: token });
}

function toClaimedJob(row: Selectable<JobTable>): ClaimedJob {
  return {
    kind: row.kind,
    id: row.id,
    teamId: row.team_id,
    userId: row.user_id,
    payload: row.payload,
    dueMs: row.due_at,
    token: row.claim_token ?? '',
    attempt: row.attempts,
    revision: row.revision,
    claimedMs: row.claimable_at - leaseMs,
  };
}
