import type { Logger } from 'pino';
import type { Database } from '../../../db/engines/database.ts';
import { waitUntil } from '../../../jobs/clock.ts';
import type { JobResult } from '../../../jobs/job-kind.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import type { DueContext, PlanJobPayload } from '../../../plans/plan-job.ts';
import type { Report, ReportStore } from '../report.ts';
import { catchUpUntil, maxFailures } from './missed-run-policy.ts';

/** An occurrence of a report that this process executes. */
export interface OccurrenceContext {
  readonly dueMs: number;
  /** The time until which the occurrence is retried. Infinite if there is no next occurrence. */
  readonly untilMs: number;
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
  /**
   * Finishes the occurrence when it is due, in one transaction with `work`. Does nothing if the report
   * was changed or if another process has finished the occurrence.
   */
  finish(work: (transaction: Database) => Promise<void>): Promise<void>;
}

/**
 * Collects a report, and finishes it when it is due. After a rejection, the occurrence is retried
 * until it is too late to catch up.
 */
export type OccurrenceHandler = (report: Report, due: OccurrenceContext) => Promise<void>;

interface ExecuteOccurrenceDependencies {
  readonly store: Pick<ReportStore, 'finish' | 'nextAfter'>;
  readonly transact: Outbox['transact'];
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'error'>;
}

/** Pause before the first retry. Each further pause is twice as long. */
const firstRetryMs = 15_000;
const maxRetryMs = 10 * 60_000;

/** Executes an occurrence. Rejects if the job's signal aborts. */
export async function executeOccurrence(
  { store, transact, handler, log }: ExecuteOccurrenceDependencies,
  report: Report,
  dueMs: number,
  { clock, signal, token, attempt }: DueContext,
): Promise<JobResult<PlanJobPayload>> {
  const nextMs = store.nextAfter(report, dueMs);
  const untilMs = catchUpUntil(dueMs, nextMs);

  /**
   * Returns when to retry after a failure, or undefined if it's too late. The last retry is just
   * before that.
   */
  function retryMs(): number | undefined {
    const [nowMs, lastMs] = [clock.now(), untilMs - firstRetryMs];
    if (nowMs >= lastMs) return undefined;
    return Math.min(nowMs + Math.min(firstRetryMs * 2 ** (attempt - 1), maxRetryMs), lastMs);
  }

  try {
    await handler(report, {
      dueMs,
      untilMs,
      willRetry: () => retryMs() !== undefined,
      skippedSinceMs: report.skippedSinceMs,
      signal,
      async finish(work) {
        await waitUntil(clock, dueMs, signal);
        await transact(async (transaction) => {
          const end = { nextMs, progress: { lastFinishedDueMs: dueMs, skippedSinceMs: null } };
          if (await store.finish(report, token, end, clock.now(), transaction)) await work(transaction);
        });
      },
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    log.error({ err: error, reportId: report.id }, 'a report failed');
    // The count is capped, so that clean failures leave some attempts for those that kill the
    // process.
    return {
      kind: 'retry',
      atMs: retryMs() ?? clock.now() + firstRetryMs,
      attempts: Math.min(attempt, maxFailures),
    };
  }
  return { kind: 'repeat', atMs: clock.now() };
}
