import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { JobTable } from '../db/schema/job-table.ts';
import type { Schema } from '../db/schema/schema.ts';
import { wasUpdated } from '../db/was-updated.ts';
import type { DatabaseClock } from './database-clock.ts';

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

/** A job that this process has claimed. */
export interface ClaimedJob extends StoredJob {
  readonly dueMs: number;
  readonly token: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly revision: number;
  readonly claimedMs: number;
}

export type JobStore = ReturnType<typeof createJobStore>;

const unclaimed = { claim_token: null } as const;

/**
 * Creates the store of jobs. Any number of replicas can use it. Only the process whose token a job
 * has can end that job.
 */
export function createJobStore(db: Database, { sqlNow }: DatabaseClock) {
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
    set_aside_reason: null,
    ...unclaimed,
  });

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

    /** Stores a job unless it exists. */
    async add(job: StoredJob): Promise<void> {
      await db
        .insertInto('job')
        .values(newRow(job))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /**
     * Stores a job, or makes it due at this time if it waits for a later one. If the job is running, it
     * runs once more afterwards.
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

    /** Claims a job that is due. Returns undefined if another process was faster. */
    async claim(kind: string, id: string, leaseMs: number): Promise<ClaimedJob | undefined> {
      const now = sqlNow();
      const row = await db
        .updateTable('job')
        .set((old) => ({
          claim_token: randomUUID(),
          claimable_at: sql<number>`${now} + ${leaseMs}`,
          attempts: old('attempts', '+', 1),
        }))
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('claimable_at', '<=', now)
        .returningAll()
        .executeTakeFirst();
      return row && toClaimedJob(row, leaseMs);
    },

    /** Extends the leases of claims. Returns the tokens of those that are still held. */
    async renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>> {
      const rows = await db
        .updateTable('job')
        .set({ claimable_at: sql<number>`${sqlNow()} + ${leaseMs}` })
        .where('claim_token', 'in', [...tokens])
        .returning('claim_token')
        .execute();
      return new Set(rows.flatMap(({ claim_token }) => claim_token ?? []));
    },

    /**
     * Deletes a job, or makes it due if it was scheduled again during the attempt. Returns whether
     * it is due again.
     */
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
     * Schedules the next attempt, or the next run of a job that repeats. It is due at once if it was
     * scheduled again during the attempt. Returns when it is due.
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
          set_aside_reason: null,
        })
        .returning('claimable_at')
        .executeTakeFirst();
      return row?.claimable_at;
    },

    /** Releases claims, so that another process can continue at once. */
    async release(jobs: readonly ClaimedJob[]): Promise<void> {
      for (const job of jobs)
        await held(job)
          .set((old) => ({ ...unclaimed, attempts: old('attempts', '-', 1), claimable_at: sqlNow() }))
          .execute();
    },

    /** Sets a job aside for some time, because it can't run. */
    async setAside(job: ClaimedJob, reason: string, forMs: number): Promise<void> {
      await held(job)
        .set((old) => ({
          ...unclaimed,
          attempts: old('attempts', '-', 1),
          claimable_at: sql<number>`${sqlNow()} + ${forMs}`,
          set_aside_reason: reason,
        }))
        .execute();
    },

    /** Makes all claimed jobs due. Only for a database that no other process can use. */
    async releaseAll(): Promise<void> {
      await db
        .updateTable('job')
        .set({ ...unclaimed, claimable_at: sqlNow() })
        .where('claim_token', 'is not', null)
        .execute();
    },

    /**
     * Makes jobs due that are further ahead than their kind allows, which happens if the clock was
     * set back. Without `ids`, all jobs of the kind are limited.
     */
    async correctTimes(kind: string, maxAheadMs: number, ids?: readonly string[]): Promise<number> {
      if (ids?.length === 0) return 0;
      const now = sqlNow();
      const { numUpdatedRows } = await db
        .updateTable('job')
        .set({ due_at: now, claimable_at: now })
        .where('kind', '=', kind)
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
        .where('claim_token', 'is', null)
        .where('set_aside_reason', 'is', null)
        .where('claimable_at', '>', sql<number>`${now} + ${maxAheadMs}`)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /**
     * Shortens claims that last longer than a lease, which happens if the clock was set back. The
     * owner renews its claim as usual; a claim without a living owner ends. Returns their number.
     */
    async shortenClaims(kind: string, leaseMs: number): Promise<number> {
      const latest = sql<number>`${sqlNow()} + ${leaseMs}`;
      const { numUpdatedRows } = await db
        .updateTable('job')
        .set({ claimable_at: latest })
        .where('kind', '=', kind)
        .where('claim_token', 'is not', null)
        .where('claimable_at', '>', latest)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

/** Matches the row of a job while its claim is valid. */
function isHeld({ kind, id, token }: ClaimedJob) {
  return ({ and }: ExpressionBuilder<Schema, 'job'>) => and({ kind, id, claim_token: token });
}

function toClaimedJob(row: Selectable<JobTable>, leaseMs: number): ClaimedJob {
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
