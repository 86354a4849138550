import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { wasUpdated } from '../../../db/was-updated.ts';
import type { ClaimLease } from '../../../jobs/lease.ts';
import { type ScheduledOccurrence, toScheduledOccurrence } from '../report.ts';
import { maxFailures } from './missed-run-policy.ts';

/** A missed occurrence. */
interface MissedOccurrence {
  readonly token: string;
  readonly dueMs: number;
  readonly nextMs: number | null;
}

export type OccurrenceStore = ReturnType<typeof createOccurrenceStore>;

/**
 * Creates the store of occurrences. Any number of replicas can use it, because every change is a
 * compare-and-set that returns whether it was made.
 */
export function createOccurrenceStore(db: Database) {
  const held = (token: string) => db.updateTable('report').where('claim_token', '=', token);
  const isFree = { claim_token: null, lease_until: 0 } as const;
  const isNew = { ...isFree, attempts: 0, not_before: 0, posting_at: null } as const;

  /** Matches a report that still waits for this occurrence, unless a live process holds it. */
  const free = ({ report, dueMs }: ScheduledOccurrence, nowMs: number) =>
    db
      .updateTable('report')
      .where('id', '=', report.id)
      .where('state', '=', 'active')
      .where('next_at', '=', dueMs)
      .where((row) => row.or([row('claim_token', 'is', null), row('lease_until', '<=', nowMs)]));

  return {
    /**
     * Returns the next occurrence of each report, if it is due at or before `untilMs`. The earliest
     * comes first.
     */
    async listUpcoming(untilMs: number): Promise<readonly ScheduledOccurrence[]> {
      const rows = await db
        .selectFrom('report')
        .selectAll()
        .where('state', '=', 'active')
        .where('next_at', '<=', untilMs)
        .orderBy('next_at')
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => toScheduledOccurrence(row) ?? []);
    },

    /**
     * Claims an occurrence for its next attempt. Returns undefined if somebody else holds it or the
     * report has changed.
     */
    async claim(
      upcoming: ScheduledOccurrence,
      { token, untilMs }: ClaimLease,
      nowMs: number,
    ): Promise<ScheduledOccurrence | undefined> {
      const row = await free(upcoming, nowMs)
        .set((old) => ({ claim_token: token, lease_until: untilMs, attempts: old('attempts', '+', 1) }))
        .returningAll()
        .executeTakeFirst();
      return row && toScheduledOccurrence(row);
    },

    /** Skips an occurrence. The next report will mention it. Returns the new occurrence. */
    async skip(
      upcoming: ScheduledOccurrence,
      nextMs: number | null,
      nowMs: number,
    ): Promise<ScheduledOccurrence | undefined> {
      const { dueMs } = upcoming;
      const row = await free(upcoming, nowMs)
        .set((old) => ({
          ...isNew,
          next_at: nextMs,
          missed_since: old.fn.coalesce('missed_since', old.val(dueMs)),
        }))
        .returningAll()
        .executeTakeFirst();
      return row && toScheduledOccurrence(row);
    },

    /** Extends the lease. Returns false if it was lost. */
    async renew({ token, untilMs }: ClaimLease): Promise<boolean> {
      return wasUpdated(held(token).set({ lease_until: untilMs }));
    },

    /** Records that the post is about to be sent. Only the holder of the lease can do so. */
    async markPosting({ token, untilMs }: ClaimLease, nowMs: number): Promise<boolean> {
      return wasUpdated(held(token).set({ lease_until: untilMs, posting_at: nowMs }));
    },

    /** Finishes an occurrence. The report then waits for the next one, if there is one. */
    async finish(token: string, nextMs: number | null): Promise<boolean> {
      return wasUpdated(
        held(token).set((old) => ({
          ...isNew,
          last_due_at: old.ref('next_at'),
          next_at: nextMs,
          missed_since: null,
        })),
      );
    },

    /** Skips an occurrence that this process holds. The next report will mention it. */
    async skipClaimed({ token, dueMs, nextMs }: MissedOccurrence): Promise<boolean> {
      return wasUpdated(
        held(token).set((old) => ({
          ...isNew,
          next_at: nextMs,
          missed_since: old.fn.coalesce('missed_since', old.val(dueMs)),
        })),
      );
    },

    /**
     * Releases an occurrence, to be retried at or after `notBeforeMs`. Clean failures never use up
     * all attempts: some are left for attempts that kill the process.
     */
    async releaseForRetry(token: string, notBeforeMs: number): Promise<boolean> {
      const attempts = sql<number>`case when attempts > ${maxFailures} then ${maxFailures} else attempts end`;
      return wasUpdated(held(token).set({ ...isFree, not_before: notBeforeMs, attempts }));
    },

    /** Releases an occurrence immediately, as if it hadn't been claimed. */
    async release(token: string): Promise<boolean> {
      return wasUpdated(held(token).set((old) => ({ ...isFree, attempts: old('attempts', '-', 1) })));
    },

    /** Releases all leases. Used with databases that only one process can use. */
    async releaseAll(): Promise<void> {
      await db.updateTable('report').set(isFree).where('claim_token', 'is not', null).execute();
    },
  };
}
