import type { Logger } from 'pino';
import type { Database } from '../../db/engines/database.ts';
import { waitUntil } from '../../jobs/clock.ts';
import type { JobKind, JobResult } from '../../jobs/job-kind.ts';
import type { Outbox } from '../../messages/outbox.ts';
import { createPlanJob, type DueContext, type PlanJobPayload } from '../../plans/plan-job.ts';
import { createTimetable, lastTimeUntil } from '../../time/timetable.ts';
import type { When } from '../../time/when.ts';
import type { Pauses } from '../shared/pauses/pauses.ts';
import { maxLeadTimeMs } from './capacity.ts';
import { type Report, type ReportProgress, type ReportStore, reportKind } from './report.ts';

/** How late a missed occurrence can be caught up, as a share of the time until the next occurrence. */
const catchUpShare = 1 / 4;

/** Maximum attempts at an occurrence. After that, the occurrence is skipped, because it may be crashing the process. */
const maxAttempts = 10;

/** How many of the `maxAttempts` can be clean failures, which don't crash the process. */
export const maxFailures = 7;

/** Returns the deadline for catching up a missed occurrence. Infinite if there is no next occurrence. */
export function catchUpUntil(dueMs: number, nextMs: number | null): number {
  return nextMs === null ? Number.POSITIVE_INFINITY : dueMs + (nextMs - dueMs) * catchUpShare;
}

/**
 * Returns which occurrence to continue with. Undefined means the current one, because it's on time or can
 * still be caught up. Otherwise, returns the time of a later one: the last one missed if it can still be
 * caught up, or else the next one. `null` if none is left.
 */
export function rescheduleMissed(
  timing: When,
  dueMs: number,
  nowMs: number,
  attempt: number,
): number | null | undefined {
  const isWorn = attempt > maxAttempts;
  if (!isWorn && nowMs <= dueMs) return undefined;
  const timetable = createTimetable(timing);
  const nextAfter = (atMs: number) => timetable.after(atMs)?.atMs ?? null;
  if (isWorn) return nextAfter(dueMs);

  const latestMs = lastTimeUntil(timetable, nowMs, dueMs);
  const nextMs = nextAfter(latestMs);
  if (nowMs >= catchUpUntil(latestMs, nextMs)) return nextMs;
  return latestMs === dueMs ? undefined : latestMs;
}

export interface OccurrenceContext {
  readonly dueMs: number;
  /** The deadline for retries. Infinite if there is no next occurrence. */
  readonly untilMs: number;
  /** Returns whether this attempt would be retried if it failed now. */
  willRetry(): boolean;
  /** The due time of the first occurrence missed since the last report; `null` if none was missed. */
  readonly skippedSinceMs: number | null;
  /** Aborts when this process stops, another process claims the report, or the report is changed, paused or deleted. */
  readonly signal: AbortSignal;
  /**
   * Waits until the occurrence is due, then finishes it in one transaction with `work`. Does nothing if the report was
   * changed or another process finished the occurrence.
   */
  finish(work: (transaction: Database) => Promise<void>): Promise<void>;
}

/**
 * Builds a report and finishes the occurrence when due. If the handler rejects, the occurrence is retried
 * while it can still be caught up.
 */
export type OccurrenceHandler = (report: Report, due: OccurrenceContext) => Promise<void>;

interface ExecuteOccurrenceDependencies {
  readonly store: Pick<ReportStore, 'finish' | 'nextAfter'>;
  readonly transact: Outbox['transact'];
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'error'>;
}

/** Delay before the first retry. The delay doubles with each further retry, up to `maxRetryMs`. */
const firstRetryMs = 15_000;
const maxRetryMs = 10 * 60_000;

export async function executeOccurrence(
  { store, transact, handler, log }: ExecuteOccurrenceDependencies,
  report: Report,
  dueMs: number,
  { clock, signal, token, attempt }: DueContext,
): Promise<JobResult<PlanJobPayload>> {
  const nextMs = store.nextAfter(report, dueMs);
  const untilMs = catchUpUntil(dueMs, nextMs);

  /** Returns when to retry after a failure, or undefined if it's too late. The last retry is just before `untilMs`. */
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
    // The attempts are capped, so clean failures leave some attempts for crashes.
    return {
      kind: 'retry',
      atMs: retryMs() ?? clock.now() + firstRetryMs,
      attempts: Math.min(attempt, maxFailures),
    };
  }
  return { kind: 'repeat', atMs: clock.now() };
}

/** When the lead time is estimated again: four lead times before the due time, but at least five minutes before it. */
const estimateAgainFactor = 4;
const minEstimateAgainMs = 5 * 60_000;

interface ReportJobDependencies {
  readonly store: Pick<ReportStore, 'get' | 'listWithoutJob' | 'nextAfter' | 'finish'>;
  /** Pauses a report whose schedule is unreadable. */
  readonly pause: Pauses<Report>['pause'];
  /** Returns how many ms before its due time a report must start. */
  readonly leadTimeFor: (report: Report, dueMs: number) => number | Promise<number>;
  readonly transact: Outbox['transact'];
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Creates the job that starts each report early enough to post it on time. */
export function createReportJob(dependencies: ReportJobDependencies): JobKind<PlanJobPayload> {
  const { store, pause, leadTimeFor, log } = dependencies;

  async function leadTimeOrZero(report: Report, dueMs: number): Promise<number> {
    try {
      return await leadTimeFor(report, dueMs);
    } catch (error) {
      log.warn({ err: error, reportId: report.id }, "can't estimate how long a report takes");
      return 0;
    }
  }

  return createPlanJob<Report, ReportProgress, never>({
    name: reportKind.name,
    retry: { firstMs: 15_000, maxMs: 10 * 60_000 },
    // A report holds its slot until it's due, and all reports in a workspace can be due at once. The quota limits their
    // calls anyway.
    concurrency: 1_000,
    store,
    pause: (report, reason) => pause([report], reason),
    findLater: ({ timing }, dueMs, nowMs, attempt) => rescheduleMissed(timing, dueMs, nowMs, attempt),
    // The next report mentions the missed occurrences.
    passOver: async ({ skippedSinceMs }, { dueMs, isSkipped }) =>
      isSkipped ? {} : { skippedSinceMs: skippedSinceMs ?? dueMs },
    async prepare(report, dueMs, { clock }) {
      const nowMs = clock.now();
      const earliestMs = dueMs - maxLeadTimeMs;
      if (earliestMs > nowMs) return earliestMs;
      const leadMs = await leadTimeOrZero(report, dueMs);
      const beginMs = dueMs - leadMs;
      if (beginMs <= nowMs) return undefined;
      const againMs = dueMs - Math.max(leadMs * estimateAgainFactor, minEstimateAgainMs);
      return againMs > nowMs ? Math.min(againMs, beginMs) : beginMs;
    },
    begin: (...occurrence) => executeOccurrence(dependencies, ...occurrence),
  });
}
