import { vi } from 'vitest';
import type { Database } from '../../../../src/db/database.ts';
import { type Clock, waitUntil } from '../../../../src/jobs/clock.ts';
import type { Report } from '../../../../src/monitoring/reports/report.ts';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import type {
  OccurrenceContext,
  OccurrenceHandler,
} from '../../../../src/monitoring/reports/schedule/execute-occurrence.ts';
import { createOccurrenceStore } from '../../../../src/monitoring/reports/schedule/occurrence-store.ts';
import type { Recurrence } from '../../../../src/monitoring/reports/schedule/recurrence.ts';
import { createScheduler, type Scheduler } from '../../../../src/monitoring/reports/schedule/scheduler.ts';
import { createManualClock } from '../../../jobs/manual-clock.ts';

/** A post in the channel. */
export interface Post {
  readonly name: string;
  readonly dueMs: number;
  readonly atMs: number;
  readonly skippedSinceMs: number | null;
}

/** Where a process crashes while making its next report. */
export type CrashPoint = 'mark' | 'post';

interface SchedulerFixtureOptions {
  readonly db: Database;
  readonly startMs: number;
  readonly hasReplicas: boolean;
  readonly leadTimeMs?: number;
  readonly collectMs?: number;
  readonly maxSleepMs?: number;
}

export type SchedulerFixture = ReturnType<typeof createSchedulerFixture>;

export const leaseMs = 30_000;

/** Creates a channel, a clock and a database. Processes that use them can then be started. */
export function createSchedulerFixture(options: SchedulerFixtureOptions) {
  const { db, startMs, hasReplicas, leadTimeMs = 60_000, collectMs = 20_000, maxSleepMs } = options;
  const clock = createManualClock(startMs);
  const reports = createReportStore(db);
  const posts: Post[] = [];
  const log = { warn: vi.fn(), error: vi.fn() };
  let begun = 0;
  let inFlight = 0;

  /** Counts running database queries, to detect when everything is idle. */
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    inFlight += 1;
    try {
      return await work();
    } finally {
      inFlight -= 1;
    }
  }

  async function settle(): Promise<void> {
    for (let still = 0; still < 2; ) {
      await new Promise((resolve) => setImmediate(resolve));
      still = inFlight === 0 ? still + 1 : 0;
    }
  }

  return {
    clock,
    reports,
    posts,
    log,
    begun: () => begun,
    settle,
    advanceTo: (untilMs: number) => clock.advanceTo(untilMs, settle),

    async plan(name: string, recurrence: Recurrence): Promise<Report> {
      const plan = { name, channel: 'C0OPS', recurrence, content: {} };
      const report = await reports.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
      if (!report) throw new Error('the name is taken');
      return report;
    },

    /** Starts a process. `stop` ends it cleanly; `kill` ends it like signal 9 would. */
    async startProcess(
      owner: string,
      { dieAt, handler }: { dieAt?: CrashPoint; handler?: OccurrenceHandler } = {},
    ): Promise<Scheduler & { kill(): void }> {
      let isDead = false;
      const never = new Promise<never>(() => {});
      const mortalClock: Clock = {
        now: clock.now,
        setTimer: (atMs, run) => clock.setTimer(atMs, () => isDead || run()),
      };

      /** Wraps a store so that a dead process sends and receives nothing. */
      function mortal<Store extends object>(store: Store): Store {
        return new Proxy(store, {
          get(target, name, receiver) {
            const method: unknown = Reflect.get(target, name, receiver);
            if (typeof method !== 'function') return method;
            return async (...given: unknown[]) => {
              if (isDead) return never;
              const answer: unknown = await counted(() => Reflect.apply(method, target, given));
              return isDead ? never : answer;
            };
          },
        });
      }

      async function deliver(report: Report, due: OccurrenceContext): Promise<undefined> {
        begun += 1;
        await waitUntil(mortalClock, clock.now() + collectMs, due.signal);
        await due.untilDue();
        if (!(await due.markPosting())) return;
        if (dieAt === 'mark') isDead = true;
        if (isDead) return never;
        const isPosted = posts.some(({ name, dueMs }) => name === report.name && dueMs === due.dueMs);
        if (due.postingMs === null || !isPosted) {
          const { dueMs, skippedSinceMs } = due;
          posts.push({ name: report.name, dueMs, atMs: clock.now(), skippedSinceMs });
        }
        if (dieAt === 'post') isDead = true;
        if (isDead) return never;
      }

      const scheduler = createScheduler({
        store: mortal(createOccurrenceStore(db)),
        pause: mortal(reports).pause,
        clock: mortalClock,
        owner,
        leaseMs,
        hasReplicas,
        leadTimeFor: () => leadTimeMs,
        handler: handler ?? deliver,
        log,
        ...(maxSleepMs !== undefined && { maxSleepMs }),
      });
      await scheduler.start();
      return {
        ...scheduler,
        kill() {
          isDead = true;
        },
      };
    },
  };
}
