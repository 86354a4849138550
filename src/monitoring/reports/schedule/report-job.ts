import type { Logger } from 'pino';
import type { JobKind } from '../../../jobs/job-kind.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPlanJob, type PlanJobPayload } from '../../../plans/plan-job.ts';
import type { Pauses } from '../../shared/pauses/pauses.ts';
import { maxLeadTimeMs } from '../capacity.ts';
import type { ReportStore } from '../report.ts';
import { type Report, type ReportProgress, reportKind } from '../report.ts';
import { executeOccurrence, type OccurrenceHandler } from './execute-occurrence.ts';
import { rescheduleMissed } from './missed-run-policy.ts';

/**
 * The lead time is estimated a second time, four lead times before the due time or, if that is
 * earlier, five minutes before it.
 */
const estimateAgainFactor = 4;
const minEstimateAgainMs = 5 * 60_000;

interface ReportJobDependencies {
  readonly store: Pick<ReportStore, 'get' | 'listWithoutJob' | 'nextAfter' | 'finish'>;
  /** Pauses a report whose schedule can't be read. */
  readonly pause: Pauses<Report>['pause'];
  /** Returns how many ms before its due time a report must start. */
  readonly leadTimeFor: (report: Report, dueMs: number) => number | Promise<number>;
  readonly transact: Outbox['transact'];
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Starts each report early enough to be posted on time. */
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
    // A report holds its place until it is due, and all reports of a workspace can be due at the same
    // time. The quota limits their calls anyway.
    concurrency: 1_000,
    store,
    pause: (report, reason) => pause([report], reason),
    findLater: ({ timing }, dueMs, nowMs, attempt) => rescheduleMissed(timing, dueMs, nowMs, attempt),
    // The next report mentions what was missed.
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
