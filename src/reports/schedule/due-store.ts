import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import { mostFailures } from './passed.ts';
import { toUpcoming, type Upcoming } from './report.ts';

/** One process's hold on one time of one report. */
export interface Claim {
  /** Unique to this hold. */
  readonly token: string;
  readonly untilMs: number;
}

/** A time that has passed without its report. */
interface Passed {
  readonly token: string;
  readonly dueMs: number;
  readonly nextMs: number | null;
}

export type DueStore = ReturnType<typeof createDueStore>;

/**
 * Creates the store of the times at which reports are due. Any number of processes may look at them: every change is a compare-and-set on the
 * claim, or on the time and nobody's having it, and answers whether it was made.
 */
export function createDueStore(db: Database) {
  const held = (token: string) => db.updateTable('report').where('claim', '=', token);
  const isFree = { claim: null, lease_until: 0 } as const;
  const isNew = { ...isFree, attempts: 0, not_before: 0, posting_at: null } as const;

  /** The time of a report, if it still waits for that and nobody who lives has it. */
  const free = ({ report, dueMs }: Upcoming, nowMs: number) =>
    db
      .updateTable('report')
      .where('id', '=', report.id)
      .where('state', '=', 'active')
      .where('next_at', '=', dueMs)
      .where((row) => row.or([row('claim', 'is', null), row('lease_until', '<=', nowMs)]));

  return {
    /** Gives the times that are due until a moment, earliest first, each report's next alone. */
    async upcoming(untilMs: number): Promise<readonly Upcoming[]> {
      const rows = await db
        .selectFrom('report')
        .selectAll()
        .where('state', '=', 'active')
        .where('next_at', '<=', untilMs)
        .orderBy('next_at')
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => toUpcoming(row) ?? []);
    },

    /** Takes up a time, as its next attempt; `undefined` where somebody else has, or the report has changed. */
    async claim(upcoming: Upcoming, { token, untilMs }: Claim, nowMs: number): Promise<Upcoming | undefined> {
      const row = await free(upcoming, nowMs)
        .set((old) => ({ claim: token, lease_until: untilMs, attempts: old('attempts', '+', 1) }))
        .returningAll()
        .executeTakeFirst();
      return row && toUpcoming(row);
    },

    /** Passes a time over, which the next report is to say, and waits for another; gives that. */
    async skip(upcoming: Upcoming, nextMs: number | null, nowMs: number): Promise<Upcoming | undefined> {
      const { dueMs } = upcoming;
      const row = await free(upcoming, nowMs)
        .set((old) => ({
          ...isNew,
          next_at: nextMs,
          skipped_since: old.fn.coalesce('skipped_since', old.val(dueMs)),
        }))
        .returningAll()
        .executeTakeFirst();
      return row && toUpcoming(row);
    },

    /** Says that the process still works on it. */
    async extend({ token, untilMs }: Claim): Promise<boolean> {
      return changed(held(token).set({ lease_until: untilMs }));
    },

    /** Marks that its message leaves now: only whoever has it may post. */
    async markPosting({ token, untilMs }: Claim, nowMs: number): Promise<boolean> {
      return changed(held(token).set({ lease_until: untilMs, posting_at: nowMs }));
    },

    /** Brings a time to its end; the report waits for the next, if there is one. */
    async end(token: string, nextMs: number | null): Promise<boolean> {
      return changed(
        held(token).set((old) => ({
          ...isNew,
          ended_due: old.ref('next_at'),
          next_at: nextMs,
          skipped_since: null,
        })),
      );
    },

    /** Passes over a time that somebody has, which the next report is to say. */
    async passOver({ token, dueMs, nextMs }: Passed): Promise<boolean> {
      return changed(
        held(token).set((old) => ({
          ...isNew,
          next_at: nextMs,
          skipped_since: old.fn.coalesce('skipped_since', old.val(dueMs)),
        })),
      );
    },

    /**
     * Lets another attempt take a time up, not before a moment. Somebody who lives failed: however often that was, there is room for some attempts
     * that end a process.
     */
    async giveBack(token: string, notBeforeMs: number): Promise<boolean> {
      const attempts = sql<number>`case when attempts > ${mostFailures} then ${mostFailures} else attempts end`;
      return changed(held(token).set({ ...isFree, not_before: notBeforeMs, attempts }));
    },

    /** Lets another process take a time up at once, as if this one had not. */
    async handOn(token: string): Promise<boolean> {
      return changed(held(token).set((old) => ({ ...isFree, attempts: old('attempts', '-', 1) })));
    },

    /** Takes everybody's hold away, where no other process can live. */
    async freeAll(): Promise<void> {
      await db.updateTable('report').set(isFree).where('claim', 'is not', null).execute();
    },
  };
}

async function changed(query: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}
