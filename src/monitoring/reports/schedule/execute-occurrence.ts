import type { Logger } from 'pino';
import { waitFor, waitUntil } from '../../../jobs/clock.ts';
import type { Job, JobContext, JobResult } from '../../../jobs/job-kind.ts';
import type { Report, ScheduledOccurrence } from '../report.ts';
import { catchUpUntil, maxFailures } from './missed-run-policy.ts';
import type { OccurrenceStore } from './occurrence-store.ts';
import type { ReportJobPayload } from './report-job-payload.ts';

/** An occurrence of a report that this process executes. */
export interface OccurrenceContext {
  readonly dueMs: number;
  /** The number of the attempt, counted from 1. */
  readonly attempt: number;
  /**
   * When an earlier attempt was about to post. If set, the handler must search for that post, or
   * mark the new one as a possible repeat.
   */
  readonly postingMs: number | null;
  /** The time until which the occurrence is retried. Infinite if there is no next occurrence. */
  readonly untilMs: number;
  /**
   * Returns whether it's too late to post. Only an occurrence that may already have been posted is
   * executed this late.
   */
  isTooLate(): boolean;
  /** Returns whether there will be a retry if this attempt fails now. */
  willRetry(): boolean;
  /**
   * The due time of the first occurrence that was missed since the last report; `null` if none was
   * missed.
   */
  readonly skippedSinceMs: number | null;
  /**
   * Aborts when this process stops, when the report was changed, paused or deleted, or when another
   * process has claimed it.
   */
  readonly signal: AbortSignal;
  /** Resolves at the due time, or immediately if that has passed. Rejects when the signal aborts. */
  untilDue(): Promise<void>;
  /**
   * Records that the post is about to be sent. If the promise resolves to false, the post must not
   * be sent.
   */
  markPosting(): Promise<boolean>;
}

/**
 * Builds a report and posts it when it is due. Resolves when the occurrence is finished, or to
 * `passedOver` if the next report should mention the occurrence as missed. After a rejection, the
 * occurrence is retried until it is too late to catch up.
 */
export type OccurrenceHandler = (report: Report, due: OccurrenceContext) => Promise<'passedOver' | undefined>;

interface ExecuteOccurrenceDependencies {
  readonly store: OccurrenceStore;
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Pause before the first retry. Each further pause is twice as long. */
const firstRetryMs = 15_000;
const maxRetryMs = 10 * 60_000;

/** How often saving the result is retried, and the interval between attempts. */
const maxSaveAttempts = 30;
const saveRetryMs = 1_000;

/** An occurrence that this process has claimed. */
interface ClaimedOccurrence {
  readonly occurrence: ScheduledOccurrence;
  /** The due time of the next occurrence. */
  readonly nextMs: number | null;
  readonly job: Pick<Job<ReportJobPayload>, 'attempt' | 'token'>;
}

/**
 * Executes an occurrence. Rejects if the job's signal aborts before the post was about to be sent.
 */
export async function executeOccurrence(
  { store, handler, log }: ExecuteOccurrenceDependencies,
  { occurrence, nextMs, job: { attempt, token } }: ClaimedOccurrence,
  { clock, signal: jobSignal }: JobContext,
): Promise<JobResult<ReportJobPayload>> {
  const { report, dueMs, postingMs } = occurrence;
  const untilMs = catchUpUntil(dueMs, nextMs);
  const changed = new AbortController();
  const signal = AbortSignal.any([jobSignal, changed.signal]);
  let isPosting = false;

  /**
   * Returns when to retry after a failure, or undefined if it's too late. The last retry is just
   * before that.
   */
  function retryMs(): number | undefined {
    const [nowMs, lastMs] = [clock.now(), untilMs - firstRetryMs];
    if (nowMs >= lastMs) return undefined;
    return Math.min(nowMs + Math.min(firstRetryMs * 2 ** (attempt - 1), maxRetryMs), lastMs);
  }

  /** Saves the result. Retries during a short outage of the database. */
  async function saveWithRetry(save: () => Promise<boolean>): Promise<void> {
    for (let left = maxSaveAttempts; ; left -= 1) {
      try {
        await save();
        return;
      } catch (error) {
        if (left === 0 || jobSignal.aborted) throw error;
        log.warn({ err: error, reportId: report.id }, 'the result of a report could not be saved yet');
        await waitFor(clock, saveRetryMs, jobSignal);
      }
    }
  }

  const due: OccurrenceContext = {
    dueMs,
    attempt,
    postingMs,
    untilMs,
    isTooLate: () => clock.now() >= untilMs,
    willRetry: () => retryMs() !== undefined,
    skippedSinceMs: report.skippedSinceMs,
    signal,
    untilDue: () => waitUntil(clock, dueMs, signal),
    async markPosting() {
      if (signal.aborted) return false;
      const isHeld = await store.markPosting(occurrence, token, clock.now());
      if (!isHeld) changed.abort(new Error('the report was changed, or another process has claimed it'));
      isPosting ||= isHeld;
      return isHeld;
    },
  };

  const end = await handler(report, due).then(
    (done) => done ?? 'done',
    (error) => {
      if (!signal.aborted) log.error({ err: error, reportId: report.id }, 'a report failed');
      return 'failed';
    },
  );
  // If the signal stopped the handler, the occurrence isn't finished.
  if (jobSignal.aborted && (end === 'failed' || !isPosting)) throw jobSignal.reason;
  // The report was changed. Its new plan decides what happens next.
  if (changed.signal.aborted && !isPosting)
    return { kind: 'repeat', atMs: clock.now(), payload: { dueMs: null } };
  if (end === 'failed') {
    const atMs = retryMs() ?? clock.now() + (due.isTooLate() ? maxRetryMs : firstRetryMs);
    // The count is capped, so that clean failures leave some attempts for those that kill the
    // process.
    return { kind: 'retry', atMs, attempts: Math.min(attempt, maxFailures) };
  }
  await saveWithRetry(() =>
    end === 'passedOver' ? store.skip(occurrence, nextMs) : store.finish(occurrence, nextMs),
  );
  return { kind: 'repeat', atMs: clock.now(), payload: { dueMs: null } };
}
