import type { Logger } from 'pino';
import { RackhandError } from '../../../errors.ts';
import type { Job, JobContext, JobKind, JobResult } from '../../../jobs/job-kind.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { nextTimeAfter } from '../../../time/timetable.ts';
import type { Pauses } from '../../shared/pauses/pauses.ts';
import { maxLeadTimeMs } from '../capacity/lead-time.ts';
import type { Report, ScheduledOccurrence } from '../report.ts';
import { executeOccurrence, type OccurrenceHandler } from './execute-occurrence.ts';
import { rescheduleMissed } from './missed-run-policy.ts';
import type { OccurrenceStore } from './occurrence-store.ts';
import { type ReportJobPayload, reportJobName, reportJobPayload } from './report-job-payload.ts';

/**
 * The lead time is estimated a second time, four lead times before the due time or, if that is
 * earlier, five minutes before it.
 */
const estimateAgainFactor = 4;
const minEstimateAgainMs = 5 * 60_000;

interface ReportJobDependencies {
  readonly store: OccurrenceStore;
  /** Pauses a report whose schedule can't be read. */
  readonly pause: Pauses<Report>['pause'];
  /** Returns how many ms before its due time a report must start. */
  readonly leadTimeFor: (upcoming: ScheduledOccurrence) => number | Promise<number>;
  readonly transact: Outbox['transact'];
  readonly handler: OccurrenceHandler;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * High limits, because a report holds its place until it is due, and all reports of a workspace can
 * be due at the same time. The quota limits their calls anyway.
 */
const concurrency = 1_000;

/**
 * Starts each report early enough to be posted on time. Each occurrence is executed once, across
 * all replicas and restarts.
 */
export function createReportJob(dependencies: ReportJobDependencies): JobKind<ReportJobPayload> {
  const { store, pause, leadTimeFor, transact, handler, log } = dependencies;

  async function leadTimeOrZero(upcoming: ScheduledOccurrence): Promise<number> {
    try {
      return await leadTimeFor(upcoming);
    } catch (error) {
      log.warn({ err: error, reportId: upcoming.report.id }, "can't estimate how long a report takes");
      return 0;
    }
  }

  /** Returns when to check an occurrence again, or undefined if its lead time has begun. */
  async function findWaitUntil(occurrence: ScheduledOccurrence, nowMs: number): Promise<number | undefined> {
    const earliestMs = occurrence.dueMs - maxLeadTimeMs;
    if (earliestMs > nowMs) return earliestMs;
    const leadMs = await leadTimeOrZero(occurrence);
    const beginMs = occurrence.dueMs - leadMs;
    if (beginMs <= nowMs) return undefined;
    const againMs = occurrence.dueMs - Math.max(leadMs * estimateAgainFactor, minEstimateAgainMs);
    return againMs > nowMs ? Math.min(againMs, beginMs) : beginMs;
  }

  async function executeNext(
    job: Job<ReportJobPayload>,
    context: JobContext,
  ): Promise<JobResult<ReportJobPayload>> {
    const nowMs = context.clock.now();
    const lookAgain = (dueMs: number | null) =>
      ({ kind: 'repeat', atMs: nowMs, payload: { dueMs } }) as const;

    const occurrence = await store.find(job.id);
    if (!occurrence) return { kind: 'done' };
    const { dueMs, report } = occurrence;
    const isOfOther = job.payload.dueMs !== null && job.payload.dueMs !== dueMs;
    if (isOfOther) return lookAgain(dueMs);

    const laterMs = rescheduleMissed(occurrence, job.attempt - 1, nowMs);
    if (laterMs !== undefined) {
      // Skipped when it is due, because until then it would become the next occurrence again.
      if (nowMs < dueMs) return { kind: 'wait', atMs: dueMs };
      const isSkipped = await store.skip(occurrence, { nextMs: laterMs, nowMs });
      return lookAgain(isSkipped ? laterMs : null);
    }
    const waitUntilMs = await findWaitUntil(occurrence, nowMs);
    if (waitUntilMs !== undefined) return { kind: 'wait', atMs: waitUntilMs };

    const nextMs = nextTimeAfter(report.timing, dueMs) ?? null;
    return executeOccurrence({ store, transact, handler, log }, { occurrence, nextMs, job }, context);
  }

  return {
    name: reportJobName,
    payload: reportJobPayload,
    retry: { firstMs: 15_000, maxMs: 10 * 60_000 },
    concurrency,
    listMissing: async () =>
      (await store.listWithoutJob()).map(({ id, teamId }) => ({ id, teamId, payload: { dueMs: null } })),

    /**
     * Pauses the report if its schedule can't be computed, for example because this machine doesn't
     * know its time zone.
     */
    async handle(job, context) {
      try {
        return await executeNext(job, context);
      } catch (error) {
        if (!(error instanceof RackhandError && error.code === 'input_invalid')) throw error;
        log.error({ err: error, reportId: job.id }, 'a report was paused: its schedule is unreadable');
        const occurrence = await store.find(job.id);
        if (occurrence) await pause([occurrence.report], 'schedule');
        return { kind: 'done' };
      }
    },
  };
}
