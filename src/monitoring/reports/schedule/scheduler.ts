import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { RackhandError } from '../../../errors.ts';
import type { Clock } from '../../../jobs/clock.ts';
import { createPollLoop } from '../../../jobs/poll-loop.ts';
import type { ScheduledOccurrence } from '../report.ts';
import type { ReportStore } from '../report-store.ts';
import { executeOccurrence, type OccurrenceHandler } from './execute-occurrence.ts';
import { rescheduleMissed } from './missed-run-policy.ts';
import type { OccurrenceStore } from './occurrence-store.ts';
import { nextTimeAfter } from './timetable.ts';

/** How far ahead occurrences are looked for. This is also the longest lead time. */
export const maxLeadTimeMs = 6 * 60 * 60_000;

/** How long it can take to notice a report that was planned by another process. */
const defaultSleepMs = 60_000;

interface SchedulerDependencies {
  readonly store: OccurrenceStore;
  /** Pauses a report whose schedule can't be read. */
  readonly pause: ReportStore['pause'];
  readonly clock: Clock;
  /** Identifies this process. */
  readonly owner: string;
  /** How long a process counts as alive after its last heartbeat. */
  readonly leaseMs: number;
  /** Whether several replicas share the database. */
  readonly hasReplicas: boolean;
  /** Returns how many ms before it is due a report must start. */
  readonly leadTimeFor: (upcoming: ScheduledOccurrence) => number | Promise<number>;
  readonly handler: OccurrenceHandler;
  /** Longest sleep between two polls. Defaults to a minute; tests that skip months use more. */
  readonly maxSleepMs?: number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Starts each report early enough to be posted on time. Each occurrence is executed once, across
 * all replicas and restarts.
 */
export interface Scheduler {
  start(): Promise<void>;
  /** Polls immediately, for example after a report was planned, changed or resumed. */
  wake(): void;
  /** Starts nothing more. Releases unfinished occurrences once their work has stopped. */
  stop(): Promise<void>;
}

/** Creates the scheduler of this process. */
export function createScheduler(dependencies: SchedulerDependencies): Scheduler {
  const { store, pause, clock, owner, leaseMs, hasReplicas, leadTimeFor, handler, log } = dependencies;
  const { maxSleepMs = defaultSleepMs } = dependencies;
  const executions = new Map<string, Promise<void>>();

  const { wake, stopping, ...pollLoop } = createPollLoop({
    clock,
    maxSleepMs,
    async poll(nowMs) {
      let wakeMs = Number.POSITIVE_INFINITY;
      for (const upcoming of await store.listUpcoming(nowMs + maxLeadTimeMs)) {
        if (stopping.aborted) break;
        wakeMs = Math.min(wakeMs, await startIfDueOrPause(upcoming));
      }
      return wakeMs;
    },
    onError: (error) => log.error({ err: error }, "can't poll the due reports"),
  });

  /** Claims and starts an occurrence if its lead time has begun. Returns when to look at it again. */
  async function startIfDue(occurrence: ScheduledOccurrence): Promise<number> {
    const { report, dueMs, notBeforeMs } = occurrence;
    const nowMs = clock.now();
    if (executions.has(report.id)) return Number.POSITIVE_INFINITY;
    if (notBeforeMs > nowMs) return notBeforeMs;

    const laterMs = rescheduleMissed(occurrence, nowMs);
    if (laterMs !== undefined) {
      const next = await store.skip(occurrence, laterMs, nowMs);
      return next ? startIfDue(next) : nowMs + leaseMs;
    }
    const beginMs = dueMs - (await leadTimeOrZero(occurrence));
    if (beginMs > nowMs) return beginMs;

    const token = `${owner}/${randomUUID()}`;
    const nextMs = nextTimeAfter(report.recurrence, dueMs) ?? null;
    const claimed = await store.claim(occurrence, { token, untilMs: nowMs + leaseMs }, nowMs);
    if (!claimed) return nowMs + leaseMs;
    const claim = { occurrence: claimed, token, nextMs };
    const execution = executeOccurrence({ store, clock, leaseMs, handler, log }, claim, stopping)
      .catch((error) => log.error({ err: error, reportId: report.id }, "a report didn't finish"))
      .finally(() => {
        executions.delete(report.id);
        wake();
      });
    executions.set(report.id, execution);
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Pauses the report if its schedule can't be computed. A time zone that this machine doesn't know
   * must not block the other reports.
   */
  async function startIfDueOrPause(upcoming: ScheduledOccurrence): Promise<number> {
    try {
      return await startIfDue(upcoming);
    } catch (error) {
      if (!(error instanceof RackhandError && error.code === 'input_invalid')) throw error;
      const { id } = upcoming.report;
      log.error({ err: error, reportId: id }, 'a report was paused: its schedule is unreadable');
      await pause(id, { reason: 'schedule', byUserId: null }, clock.now());
      return Number.POSITIVE_INFINITY;
    }
  }

  async function leadTimeOrZero(upcoming: ScheduledOccurrence): Promise<number> {
    try {
      return await leadTimeFor(upcoming);
    } catch (error) {
      log.warn({ err: error, reportId: upcoming.report.id }, "can't estimate how long a report takes");
      return 0;
    }
  }

  return {
    async start() {
      // Only one process at a time uses an SQLite file, so all existing leases are stale.
      if (!hasReplicas) await store.releaseAll();
      await pollLoop.start();
    },
    wake,
    async stop() {
      await pollLoop.stop();
      await Promise.all(executions.values());
    },
  };
}
