import type { KyselyPlugin } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../../../../src/db/engines/database.ts';
import { type Clock, waitUntil } from '../../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobStore } from '../../../../src/jobs/job-store.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createReportStore, type Report } from '../../../../src/monitoring/reports/report.ts';
import {
  createReportJob,
  type OccurrenceContext,
  type OccurrenceHandler,
} from '../../../../src/monitoring/reports/report-job.ts';
import type { When } from '../../../../src/time/when.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';

/** A post in the channel. */
export interface Post {
  readonly name: string;
  readonly dueMs: number;
  readonly atMs: number;
  readonly skippedSinceMs: number | null;
}

interface SchedulerFixtureOptions {
  readonly db: Database;
  readonly startMs: number;
  readonly hasReplicas: boolean;
  readonly leadTimeMs?: number;
  readonly collectMs?: number;
  readonly maxSleepMs?: number;
}

export type SchedulerFixture = ReturnType<typeof createSchedulerFixture>;

/** Counts running queries, to detect when everything is idle. */
function createQueryCounter() {
  let inFlight = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      inFlight += 1;
      return node;
    },
    async transformResult({ result }) {
      inFlight -= 1;
      return result;
    },
  };
  return { plugin, count: () => inFlight };
}

/** Creates a channel, a clock and a database. Processes that use them can then be started. */
export function createSchedulerFixture(options: SchedulerFixtureOptions) {
  const { startMs, hasReplicas, leadTimeMs = 60_000, collectMs = 20_000, maxSleepMs = 60_000 } = options;
  const clock = createManualClock(startMs);
  const queries = createQueryCounter();
  const db = options.db.withPlugin(queries.plugin);
  const jobStore = createJobStore(db, createLocalDatabaseClock(clock));
  const reports = createReportStore(db, {
    queue: {
      schedule: ({ id, teamId }, transaction) =>
        jobStore.schedule({ kind: 'report', id, teamId, userId: '', payload: '{}' }, transaction),
      wake() {},
    },
  });
  const posts: Post[] = [];
  const log = { warn: vi.fn(), error: vi.fn() };
  let begun = 0;

  async function settle(): Promise<void> {
    for (let still = 0; still < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      still = queries.count() === 0 ? still + 1 : 0;
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

    async plan(name: string, timing: When): Promise<Report> {
      const plan = { name, channel: 'C0OPS', timing, content: {} };
      return reports.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
    },

    /**
     * Starts a process. `stop` ends it cleanly. `kill` ends it like signal 9 would, which is only
     * allowed while it waits for a timer.
     */
    async startProcess({ handler }: { handler?: OccurrenceHandler } = {}) {
      let isDead = false;
      const never = new Promise<never>(() => {});
      const mortalClock: Clock = {
        now: clock.now,
        setTimer: (atMs, run) => clock.setTimer(atMs, () => isDead || run()),
      };

      async function deliver(report: Report, due: OccurrenceContext): Promise<void> {
        begun += 1;
        await waitUntil(mortalClock, clock.now() + collectMs, due.signal);
        if (isDead) return never;
        await due.finish(async () => {
          const { dueMs, skippedSinceMs } = due;
          posts.push({ name: report.name, dueMs, atMs: clock.now(), skippedSinceMs });
        });
      }

      const jobs = createJobs({
        db,
        databaseClock: createLocalDatabaseClock(mortalClock),
        hasReplicas,
        maxSleepMs,
        log,
      });
      const queue = jobs.define(
        createReportJob({
          store: createReportStore(db),
          async pause(paused, reason) {
            for (const one of paused) await reports.pause(one, { reason, byUserId: null }, clock.now());
            return paused;
          },
          leadTimeFor: () => leadTimeMs,
          transact: (work) => db.transaction().execute(work),
          handler: handler ?? deliver,
          log,
        }),
      );
      await jobs.start();
      await settle();
      return {
        wake: queue.wake,
        stop: () => jobs.stop(1_000),
        kill() {
          isDead = true;
        },
      };
    },
  };
}
