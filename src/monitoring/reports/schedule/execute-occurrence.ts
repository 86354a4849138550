import type { Logger } from 'pino';
import { type Clock, waitUntil } from '../../../jobs/clock.ts';
import { startLeaseRenewal } from '../../../jobs/lease.ts';
import type { Report, ScheduledOccurrence } from '../report.ts';
import { catchUpUntil } from './missed-run-policy.ts';
import type { OccurrenceStore } from './occurrence-store.ts';

/** An occurrence of a report that this process executes. */
export interface OccurrenceContext {
  readonly dueMs: number;
  /** Counts from 1. */
  readonly attempt: number;
  /**
   * When an earlier attempt was about to post. If set, look for its post, or mark the new one as a
   * possible repeat.
   */
  readonly postingMs: number | null;
  /** Until when the occurrence is retried. Infinite if there is no next occurrence. */
  readonly untilMs: number;
  /**
   * Returns whether it's too late to post. Only an occurrence that may already have been posted can
   * start this late.
   */
  isTooLate(): boolean;
  /** Returns whether there will be a retry if this attempt fails now. */
  willRetry(): boolean;
  /** The first occurrence missed since the last report; `null` if none was missed. */
  readonly skippedSinceMs: number | null;
  /**
   * Aborts when this process stops, when the report was changed, paused or deleted, or when another
   * process has claimed it.
   */
  readonly signal: AbortSignal;
  /** Resolves at the due time, or immediately if that has passed. Rejects when the signal aborts. */
  untilDue(): Promise<void>;
  /**
   * Records that the post is about to be sent. If this resolves to false, the post must not be
   * sent.
   */
  markPosting(): Promise<boolean>;
}

/**
 * Builds a report and posts it when it is due. Resolves when the occurrence is finished, or to
 * `passedOver` if the next report should mention it. If it rejects, the occurrence is retried until
 * it is too late to catch up.
 */
export type OccurrenceHandler = (report: Report, due: OccurrenceContext) => Promise<'passedOver' | undefined>;

interface ExecuteOccurrenceDependencies {
  readonly store: OccurrenceStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Pause before the first retry. Each further pause is twice as long. */
const firstRetryMs = 15_000;
const maxRetryMs = 10 * 60_000;

/** How often, and at which intervals, saving the result is retried. */
const maxSaveAttempts = 30;
const saveRetryMs = 1_000;

/** An occurrence that this process has claimed. */
interface ClaimedOccurrence {
  readonly occurrence: ScheduledOccurrence;
  readonly token: string;
  /** The due time of the next occurrence. */
  readonly nextMs: number | null;
}

/**
 * Executes an occurrence and renews its lease during that time. Finishes or releases it at the end.
 * `stopping` aborts when this process stops.
 */
export async function executeOccurrence(
  { store, clock, leaseMs, handler, log }: ExecuteOccurrenceDependencies,
  { occurrence: { report, dueMs, attempts, postingMs }, token, nextMs }: ClaimedOccurrence,
  stopping: AbortSignal,
): Promise<void> {
  const untilMs = catchUpUntil(dueMs, nextMs);
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const lease = () => ({ token, untilMs: clock.now() + leaseMs });
  let isPosting = false;

  /** Returns when to retry after a failure. The last retry is made just before it would be too late. */
  function retryMs(): number | undefined {
    const [nowMs, lastMs] = [clock.now(), untilMs - firstRetryMs];
    if (nowMs >= lastMs) return undefined;
    return Math.min(nowMs + Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs), lastMs);
  }

  function lose(): void {
    lost.abort(new Error('the report was changed, or another process has claimed it'));
  }

  /** Saves the result. Retries during a short outage of the database. */
  async function keep(change: () => Promise<boolean>): Promise<void> {
    for (let left = maxSaveAttempts; ; left -= 1) {
      try {
        await change();
        return;
      } catch (error) {
        if (left === 0 || stopping.aborted) throw error;
        log.warn({ err: error, reportId: report.id }, 'the result of a report could not be saved yet');
        await waitUntil(clock, clock.now() + saveRetryMs, lost.signal);
      }
    }
  }

  const due: OccurrenceContext = {
    dueMs,
    attempt: attempts,
    postingMs,
    untilMs,
    isTooLate: () => clock.now() >= untilMs,
    willRetry: () => retryMs() !== undefined,
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

  const stopRenewing = startLeaseRenewal({
    clock,
    leaseMs,
    renew: (leaseUntilMs) => store.renew({ token, untilMs: leaseUntilMs }),
    onLost: lose,
    onError: (error) =>
      log.warn({ err: error, reportId: report.id }, 'the lease of a report could not be renewed'),
  });
  try {
    const end = await handler(report, due).then(
      // If the handler stopped because of the signal, the occurrence isn't finished.
      (done) => (isPosting || !signal.aborted ? (done ?? 'done') : 'failed'),
      (error) => {
        if (!signal.aborted) log.error({ err: error, reportId: report.id }, 'a report failed');
        return 'failed';
      },
    );
    if (end === 'done') await keep(() => store.finish(token, nextMs));
    else if (end === 'passedOver') await keep(() => store.skipClaimed({ token, dueMs, nextMs }));
    else if (stopping.aborted) await keep(() => store.release(token));
    else
      await keep(() =>
        store.releaseForRetry(
          token,
          retryMs() ?? clock.now() + (due.isTooLate() ? maxRetryMs : firstRetryMs),
        ),
      );
  } finally {
    stopRenewing();
  }
}
