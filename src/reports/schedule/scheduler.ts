import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { Clock } from './clock.ts';
import type { DueStore } from './due-store.ts';
import { createLookout } from './lookout.ts';
import { insteadOf } from './passed.ts';
import type { Upcoming } from './report.ts';
import type { ReportStore } from './report-store.ts';
import { nextAfter } from './timetable.ts';
import { type Begin, takeTurn } from './turn.ts';

/** How far ahead is looked: no report begins earlier before it is due. */
export const longestLeadMs = 6 * 60 * 60_000;

/** How long it takes at most until a report is seen that another process has planned. */
const defaultSleepMs = 60_000;

interface SchedulerParts {
  readonly store: DueStore;
  /** Lets a report rest whose schedule is not understood any more. */
  readonly rest: ReportStore['pause'];
  readonly clock: Clock;
  /** This process. */
  readonly owner: string;
  /** How long a process is taken to be alive after its last sign of life. */
  readonly leaseMs: number;
  /** Whether other processes look at the same reports. */
  readonly shared: boolean;
  /** How long before it is due a report must begin, in ms. */
  readonly leadFor: (upcoming: Upcoming) => number | Promise<number>;
  readonly begin: Begin;
  /** Default a minute; tests that leap over months lengthen it. */
  readonly longestSleepMs?: number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Begins every report in time for when it is due: each time once, however many processes there are and whenever they end. */
export interface Scheduler {
  start(): Promise<void>;
  /** Looks at once: a report was planned, changed or resumed. */
  wake(): void;
  /** Begins nothing more; gives back what is not over, once it has heeded its signal. */
  stop(): Promise<void>;
}

/** Creates the scheduler of this process. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { store, rest, clock, owner, leaseMs, shared, leadFor, begin, log } = parts;
  const { longestSleepMs = defaultSleepMs } = parts;
  const turns = new Map<string, Promise<void>>();

  const { wake, stopping, ...lookout } = createLookout({
    clock,
    longestSleepMs,
    async look(nowMs) {
      let wakeMs = Number.POSITIVE_INFINITY;
      for (const upcoming of await store.upcoming(nowMs + longestLeadMs)) {
        if (stopping.aborted) break;
        wakeMs = Math.min(wakeMs, await attendOrPause(upcoming));
      }
      return wakeMs;
    },
    onFailure: (error) => log.error({ err: error }, 'the reports that are due could not be looked at'),
  });

  /** Takes a time up if it must begin; gives when it is to be looked at again. */
  async function attend(upcoming: Upcoming): Promise<number> {
    const { report, dueMs, notBeforeMs } = upcoming;
    const nowMs = clock.now();
    if (turns.has(report.id)) return Number.POSITIVE_INFINITY;
    if (notBeforeMs > nowMs) return notBeforeMs;

    const instead = insteadOf(upcoming, nowMs);
    if (instead !== undefined) {
      const next = await store.skip(upcoming, instead, nowMs);
      return next ? attend(next) : nowMs + leaseMs;
    }
    const beginMs = dueMs - (await leadOf(upcoming));
    if (beginMs > nowMs) return beginMs;

    const token = `${owner}/${randomUUID()}`;
    const nextMs = nextAfter(report.recurrence, dueMs) ?? null;
    const claimed = await store.claim(upcoming, { token, untilMs: nowMs + leaseMs }, nowMs);
    if (!claimed) return nowMs + leaseMs;
    const taken = { upcoming: claimed, token, nextMs };
    const turn = takeTurn({ store, clock, leaseMs, begin, log }, taken, stopping)
      .catch((error) => log.error({ err: error, reportId: report.id }, 'a report did not come to its end'))
      .finally(() => {
        turns.delete(report.id);
        wake();
      });
    turns.set(report.id, turn);
    return Number.POSITIVE_INFINITY;
  }

  /** A zone that this machine knows no more must not keep the other reports waiting. */
  async function attendOrPause(upcoming: Upcoming): Promise<number> {
    try {
      return await attend(upcoming);
    } catch (error) {
      if (!(error instanceof RackhandError && error.code === 'input_invalid')) throw error;
      const { id } = upcoming.report;
      log.error({ err: error, reportId: id }, 'a report rests: its schedule is not understood');
      await rest(id, { reason: 'schedule', byUserId: null }, clock.now());
      return Number.POSITIVE_INFINITY;
    }
  }

  async function leadOf(upcoming: Upcoming): Promise<number> {
    try {
      return await leadFor(upcoming);
    } catch (error) {
      log.warn({ err: error, reportId: upcoming.report.id }, 'how long a report takes could not be told');
      return 0;
    }
  }

  return {
    async start() {
      // A database of our own was held by one process at a time: nobody works on what it left.
      if (!shared) await store.freeAll();
      await lookout.start();
    },
    wake,
    async stop() {
      await lookout.stop();
      await Promise.all(turns.values());
    },
  };
}
