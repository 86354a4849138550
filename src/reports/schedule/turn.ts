import type { Logger } from 'pino';
import { type Clock, waitUntil } from './clock.ts';
import type { DueStore } from './due-store.ts';
import { keepLease } from './keep-lease.ts';
import { madeUpUntil } from './passed.ts';
import type { Report, Upcoming } from './report.ts';

/** One time of a report, in the hands of one process. */
export interface Due {
  readonly dueMs: number;
  /** From 1. */
  readonly attempt: number;
  /** When an earlier attempt was about to post, and may have: look for its message, or mark this one as a possible repeat. */
  readonly postingMs: number | null;
  /** Until when this time is made up for; infinite where none follows. */
  readonly untilMs: number;
  /** Whether it is too late to make up for this time. Only one that may be posted is begun so late. */
  isTooLate(): boolean;
  /** Whether it is tried again where this attempt rejects now. */
  willBeTriedAgain(): boolean;
  /** The first of the times before this that passed without a report, since the last one; `null` where none did. */
  readonly skippedSinceMs: number | null;
  /** Aborts when this process stops, or the report was changed, paused, deleted, or taken up by another process. */
  readonly signal: AbortSignal;
  /** Resolves when it is due, at once if that has passed; rejects when the signal aborts. */
  untilDue(): Promise<void>;
  /** Marks that its message leaves now, right before its bytes do: after `false` it must not. */
  markPosting(): Promise<boolean>;
}

/**
 * Makes a report and posts it when it is due. Resolves when that time is dealt with, whatever came of it, or is `passedOver`, which the next report
 * is to say; when it rejects, it is tried again for as long as a missed time would be made up for.
 */
export type Begin = (report: Report, due: Due) => Promise<'passedOver' | undefined>;

interface TurnParts {
  readonly store: DueStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly begin: Begin;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Pause before a second attempt, doubled before each further one. */
const firstPauseMs = 15_000;
const longestPauseMs = 10 * 60_000;

/** How often, and in what distance, an end is kept anew that could not be kept. */
const mostTries = 30;
const betweenTriesMs = 1_000;

/** A time that this process has taken up. */
interface Taken {
  readonly upcoming: Upcoming;
  readonly token: string;
  /** The time after it. */
  readonly nextMs: number | null;
}

/** Brings a time to its end, or gives it back; keeps the lease meanwhile. `stopping` aborts when this process stops. */
export async function takeTurn(
  { store, clock, leaseMs, begin, log }: TurnParts,
  { upcoming: { report, dueMs, attempts, postingMs }, token, nextMs }: Taken,
  stopping: AbortSignal,
): Promise<void> {
  const untilMs = madeUpUntil(dueMs, nextMs);
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const lease = () => ({ token, untilMs: clock.now() + leaseMs });
  let isPosting = false;

  /** When it is tried again after a failure now, for the last time right before that would be too late. */
  function retryMs(): number | undefined {
    const [nowMs, lastMs] = [clock.now(), untilMs - firstPauseMs];
    if (nowMs >= lastMs) return undefined;
    return Math.min(nowMs + Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs), lastMs);
  }

  function lose(): void {
    lost.abort(new Error('the report was changed, or another process has taken it up'));
  }

  /** Keeps what became of it, also through a short failure of the database. */
  async function keep(change: () => Promise<boolean>): Promise<void> {
    for (let left = mostTries; ; left -= 1) {
      try {
        await change();
        return;
      } catch (error) {
        if (left === 0 || stopping.aborted) throw error;
        log.warn({ err: error, reportId: report.id }, 'the end of a report could not be kept yet');
        await waitUntil(clock, clock.now() + betweenTriesMs, lost.signal);
      }
    }
  }

  const due: Due = {
    dueMs,
    attempt: attempts,
    postingMs,
    untilMs,
    isTooLate: () => clock.now() >= untilMs,
    willBeTriedAgain: () => retryMs() !== undefined,
    skippedSinceMs: report.skippedSinceMs,
    signal,
    untilDue: () => waitUntil(clock, dueMs, signal),
    async markPosting() {
      if (signal.aborted) return false;
      const isHeld = await store.markPosting(lease(), clock.now());
      if (!isHeld) lose();
      isPosting ||= isHeld;
      return isHeld;
    },
  };

  const stopRenewing = keepLease({
    clock,
    leaseMs,
    extend: (leaseUntilMs) => store.extend({ token, untilMs: leaseUntilMs }),
    onLost: lose,
    onTrouble: (error) =>
      log.warn({ err: error, reportId: report.id }, 'the hold on a report could not be kept'),
  });
  try {
    const end = await begin(report, due).then(
      // Whoever heeds the signal by doing nothing has not dealt with it.
      (done) => (isPosting || !signal.aborted ? (done ?? 'done') : 'failed'),
      (error) => {
        if (!signal.aborted) log.error({ err: error, reportId: report.id }, 'a report could not be made');
        return 'failed';
      },
    );
    if (end === 'done') await keep(() => store.end(token, nextMs));
    else if (end === 'passedOver') await keep(() => store.passOver({ token, dueMs, nextMs }));
    else if (stopping.aborted) await keep(() => store.handOn(token));
    else
      await keep(() =>
        store.giveBack(token, retryMs() ?? clock.now() + (due.isTooLate() ? longestPauseMs : firstPauseMs)),
      );
  } finally {
    stopRenewing();
  }
}
