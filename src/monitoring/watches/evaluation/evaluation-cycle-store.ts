import type { Selectable } from 'kysely';
import type { Database } from '../../../db/database.ts';
import type { WatchEvaluationTable } from '../../../db/monitoring-tables.ts';
import { wasUpdated } from '../../../db/was-updated.ts';
import type { ClaimLease } from '../../../jobs/lease.ts';

/** The next evaluation cycle of a workspace. */
export interface EvaluationCycle {
  readonly teamId: string;
  readonly dueMs: number;
  /** The VPS that was read last. */
  readonly lastVps: string | null;
}

/** The result of a cycle. */
export interface EvaluationCycleResult {
  readonly lastVps: string | null;
  /** How often each VPS is read, in ms; `null` if that is unknown. */
  readonly intervalMs: number | null;
  readonly calls: number;
}

export type EvaluationCycleStore = ReturnType<typeof createEvaluationCycleStore>;

/**
 * Creates the store of evaluation cycles. Any number of replicas can use it, because cycles are
 * claimed by compare-and-set.
 */
export function createEvaluationCycleStore(db: Database) {
  const held = (token: string) => db.updateTable('watch_evaluation').where('claim_token', '=', token);
  const free = { claim_token: null, lease_until: 0 } as const;

  /** Selects the cycles of workspaces that have active watches. */
  const living = () =>
    db
      .selectFrom('watch_evaluation')
      .selectAll()
      .where((row) =>
        row.exists(
          row
            .selectFrom('watch')
            .select('watch.id')
            .whereRef('watch.team_id', '=', 'watch_evaluation.team_id')
            .where('watch.state', '=', 'active'),
        ),
      );

  return {
    /** Starts the cycles of a workspace. Does nothing if they have already been started. */
    async schedule(teamId: string, nowMs: number): Promise<void> {
      await db
        .insertInto('watch_evaluation')
        .values({
          team_id: teamId,
          next_at: nowMs,
          last_vps: null,
          interval_ms: null,
          call_count: 0,
          ...free,
        })
        .onConflict((conflict) => conflict.column('team_id').doNothing())
        .execute();
    },

    /**
     * Returns the cycles of workspaces that have active watches, earliest first. `dueMs` is never
     * before the end of another process's lease.
     */
    async listUpcoming(nowMs: number): Promise<readonly EvaluationCycle[]> {
      const rows = await living().execute();
      return rows
        .map((row) => {
          const isHeld = row.claim_token !== null && row.lease_until > nowMs;
          return {
            ...toEvaluationCycle(row),
            dueMs: isHeld ? Math.max(row.next_at, row.lease_until) : row.next_at,
          };
        })
        .sort((a, b) => a.dueMs - b.dueMs);
    },

    /** Claims a cycle that is due. Returns undefined if another process has claimed it. */
    async claim(
      { teamId }: EvaluationCycle,
      { token, untilMs }: ClaimLease,
      nowMs: number,
    ): Promise<EvaluationCycle | undefined> {
      const row = await db
        .updateTable('watch_evaluation')
        .set({ claim_token: token, lease_until: untilMs })
        .where('team_id', '=', teamId)
        .where('next_at', '<=', nowMs)
        .where((one) => one.or([one('claim_token', 'is', null), one('lease_until', '<=', nowMs)]))
        .returningAll()
        .executeTakeFirst();
      return row && toEvaluationCycle(row);
    },

    /** Extends the lease. Returns false if it was lost. */
    async renew({ token, untilMs }: ClaimLease): Promise<boolean> {
      return wasUpdated(held(token).set({ lease_until: untilMs }));
    },

    /** Finishes a cycle and schedules the next one. */
    async finish(
      token: string,
      { lastVps, intervalMs, calls }: EvaluationCycleResult,
      nextMs: number,
    ): Promise<boolean> {
      const values = {
        ...free,
        next_at: nextMs,
        last_vps: lastVps,
        interval_ms: intervalMs,
        call_count: calls,
      };
      return wasUpdated(held(token).set(values));
    },

    /** Releases a cycle, so that another process can claim it immediately. */
    async release(token: string): Promise<void> {
      await held(token).set(free).execute();
    },

    /**
     * Returns how often each VPS of a workspace is read (in ms) and how many calls a cycle makes,
     * both as of the last cycle. Returns undefined if no watch is active.
     */
    async latestRate(
      teamId: string,
    ): Promise<Pick<EvaluationCycleResult, 'intervalMs' | 'calls'> | undefined> {
      const row = await living().where('team_id', '=', teamId).executeTakeFirst();
      return row && { intervalMs: row.interval_ms, calls: row.call_count };
    },

    /** Releases all leases. Used with databases that only one process can use. */
    async releaseAll(): Promise<void> {
      await db.updateTable('watch_evaluation').set(free).where('claim_token', 'is not', null).execute();
    },
  };
}

function toEvaluationCycle(row: Selectable<WatchEvaluationTable>): EvaluationCycle {
  return { teamId: row.team_id, dueMs: row.next_at, lastVps: row.last_vps };
}
