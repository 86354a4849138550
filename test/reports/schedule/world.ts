import { vi } from 'vitest';
import { type Clock, waitUntil } from '../../../src/reports/schedule/clock.ts';
import { createDueStore } from '../../../src/reports/schedule/due-store.ts';
import type { Recurrence } from '../../../src/reports/schedule/recurrence.ts';
import type { Report } from '../../../src/reports/schedule/report.ts';
import { createReportStore } from '../../../src/reports/schedule/report-store.ts';
import { createScheduler, type Scheduler } from '../../../src/reports/schedule/scheduler.ts';
import type { Begin, Due } from '../../../src/reports/schedule/turn.ts';
import type { Database } from '../../../src/storage/database.ts';
import { createManualClock } from './manual-clock.ts';

/** What stood in the channel. */
export interface Post {
  readonly name: string;
  readonly dueMs: number;
  readonly atMs: number;
  readonly skippedSinceMs: number | null;
}

/** Where a process dies by itself, on its next report. */
export type DeathAt = 'mark' | 'post';

interface WorldParts {
  readonly db: Database;
  readonly startMs: number;
  readonly shared: boolean;
  readonly leadMs?: number;
  readonly collectMs?: number;
  readonly longestSleepMs?: number;
}

export type World = ReturnType<typeof createWorld>;

export const leaseMs = 30_000;

/** Creates a channel, a clock and a database, and processes that come and go around them. */
export function createWorld(parts: WorldParts) {
  const { db, startMs, shared, leadMs = 60_000, collectMs = 20_000, longestSleepMs } = parts;
  const clock = createManualClock(startMs);
  const reports = createReportStore(db);
  const posts: Post[] = [];
  const log = { warn: vi.fn(), error: vi.fn() };
  let begun = 0;
  let inFlight = 0;

  /** Counts what the database is asked, to know when there is nothing left to wait for. */
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

    /** Starts a process; it ends by `stop`, or by `kill` as by a signal 9. */
    async startProcess(
      owner: string,
      { dieAt, begin }: { dieAt?: DeathAt; begin?: Begin } = {},
    ): Promise<Scheduler & { kill(): void }> {
      let isDead = false;
      const never = new Promise<never>(() => {});
      const mortalClock: Clock = {
        now: clock.now,
        setTimer: (atMs, run) => clock.setTimer(atMs, () => isDead || run()),
      };

      /** A dead process asks nothing and hears nothing. */
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

      async function deliver(report: Report, due: Due): Promise<undefined> {
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
        store: mortal(createDueStore(db)),
        rest: mortal(reports).pause,
        clock: mortalClock,
        owner,
        leaseMs,
        shared,
        leadFor: () => leadMs,
        begin: begin ?? deliver,
        log,
        ...(longestSleepMs !== undefined && { longestSleepMs }),
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
