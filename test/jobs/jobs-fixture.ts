import { expect, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../src/db/engines/database.ts';
import { createLocalDatabaseClock, type DatabaseClock } from '../../src/jobs/database-clock.ts';
import type { Job, JobContext, JobKind, JobResult } from '../../src/jobs/job-kind.ts';
import { createJobs, type JobEvents } from '../../src/jobs/jobs.ts';
import { createManualClock } from './clocks/manual-clock.ts';

export const startMs = Date.parse('2026-11-23T08:00Z');

export const payload = z.object({ step: z.number() });
export type Payload = z.infer<typeof payload>;

type Handle = (job: Job<Payload>, context: JobContext) => Promise<JobResult<Payload>>;

export function defineTestKind(handle: Handle, more: Partial<JobKind<Payload>> = {}): JobKind<Payload> {
  return {
    name: 'test',
    payload,
    retry: { firstMs: 1_000, maxMs: 60_000 },
    concurrency: 100,
    handle,
    ...more,
  };
}

export const done = { kind: 'done' } as const;

/** Waits for running queries, and for the work that follows them. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Creates processes that share a database and a clock. */
export function createJobsFixture(db: Database, { hasReplicas = false } = {}) {
  const clock = createManualClock(startMs);

  function createProcess(
    kind: JobKind<Payload>,
    databaseClock: DatabaseClock = createLocalDatabaseClock(clock),
    maxSleepMs = 60_000,
  ) {
    const log = { warn: vi.fn(), error: vi.fn() };
    const events: string[] = [];
    const record = (event: keyof JobEvents) => (_kind: string, latenessMs?: number) =>
      void events.push(latenessMs ? `${event} ${latenessMs}` : event);
    const jobs = createJobs({
      db,
      databaseClock,
      hasReplicas,
      maxSleepMs,
      events: {
        started: record('started'),
        retried: record('retried'),
        deadLettered: record('deadLettered'),
      },
      log,
    });
    return { jobs, queue: jobs.define(kind), log, events };
  }

  const advance = (ms: number) => clock.advanceTo(clock.now() + ms, settle);

  return {
    clock,
    databaseClock: createLocalDatabaseClock(clock),
    createProcess,
    /** Repeats a check. Fires the timers that are due before each, and moves the clock by `stepMs`. */
    poll: <T>(read: () => T | Promise<T>, stepMs = 0) =>
      expect.poll(async () => {
        await advance(stepMs);
        return read();
      }),
    /** Fires timers and waits for their queries, until `ms` have passed. */
    advance,
    listRows: () => db.selectFrom('job').selectAll().orderBy('id').execute(),
  };
}
