import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done, settle, startMs } from './jobs-fixture.ts';

const never = new Promise<never>(() => {});
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const payload = { step: 1 };

const database = useTestDatabase(startSqlite);
const fixtureOf = (hasReplicas = false) => createJobsFixture(database.db, { hasReplicas });
const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);

/** A kind whose jobs only record that they ran. */
function recordRuns(more: Parameters<typeof defineTestKind>[1] = {}) {
  const ran: string[] = [];
  const kind = defineTestKind(async ({ id }) => {
    ran.push(id);
    return done;
  }, more);
  return { ran, kind };
}

describe('a job that is scheduled', () => {
  test('while the worker sleeps starts at once, and with "ensure" too', async () => {
    const { createProcess, poll } = fixtureOf();
    const { ran, kind } = recordRuns();
    const { jobs, queue, log } = createProcess(kind);
    await jobs.start();
    await queue.schedule({ id: 'a', payload });
    await poll(() => ran).toEqual(['a']);
    await queue.ensure({ id: 'b', payload });
    await poll(() => ran).toEqual(['a', 'b']);
    await jobs.stop(0);
    expect(log.warn).not.toHaveBeenCalled();
  });

  test('in a transaction starts when the worker is woken after it', async () => {
    const { createProcess, poll, advance } = fixtureOf();
    const { ran, kind } = recordRuns();
    const { jobs, queue } = createProcess(kind);
    await jobs.start();
    await database.db.transaction().execute(async (transaction) => {
      await queue.schedule({ id: 'a', payload }, transaction);
      await queue.ensure({ id: 'b', payload }, transaction);
    });
    await advance(0);
    expect(ran).toEqual([]);
    queue.wake();
    await poll(() => ran).toEqual(['a', 'b']);
    await jobs.stop(0);
  });

  test('by another replica is noticed within two seconds', async () => {
    const { clock, advance, poll, databaseClock } = fixtureOf();
    const { ran, kind } = recordRuns();
    const log = { warn: vi.fn(), error: vi.fn() };
    const [one, other] = [1, 2].map(() =>
      createJobs({ db: database.db, databaseClock, hasReplicas: true, log }),
    );
    one?.define(kind);
    await one?.start();
    await other?.define(kind).schedule({ id: 'a', payload });
    await advance(1_999);
    expect(ran).toEqual([]);
    await advance(1);
    await poll(() => ran).toEqual(['a']);
    expect(clock.now()).toBe(startMs + 2_000);
    await one?.stop(0);
  });
});

/** Returns which of these jobs are started within 10 s. None of them ends. */
async function listStarted(
  concurrency: JobKind<unknown>['concurrency'],
  scheduled: readonly { readonly id: string; readonly teamId: string; readonly userId?: string }[],
): Promise<readonly string[]> {
  const { createProcess, advance, poll } = fixtureOf();
  const started: string[] = [];
  const { jobs, queue } = createProcess(
    defineTestKind(
      ({ id }) => {
        started.push(id);
        return never;
      },
      { concurrency },
    ),
  );
  for (const job of scheduled) await queue.schedule({ ...job, payload });
  await jobs.start();
  await poll(() => started.length).toBeGreaterThan(1);
  await advance(10_000);
  await jobs.stop(0);
  return started;
}

test('a process has no more jobs running than its kind allows', async () => {
  const scheduled = ['a', 'b', 'c', 'd'].map((id) => ({ id, teamId: `T${id}` }));
  expect(await listStarted(2, scheduled)).toEqual(['a', 'b']);
});

describe('the only process', () => {
  test('continues at its start what the one before it had begun, and starts nothing early', async () => {
    const { createProcess, poll, advance } = fixtureOf();
    const before = createProcess(defineTestKind(() => never));
    await before.queue.schedule({ id: 'begun', payload });
    await before.jobs.start();
    await before.queue.schedule({ id: 'later', payload, dueMs: startMs + minuteMs });
    const { ran, kind } = recordRuns();
    const after = createProcess(kind);
    await after.jobs.start();
    await poll(() => ran).toEqual(['begun']);
    await advance(0);
    expect(ran).toEqual(['begun']);
    await after.jobs.stop(0);
  });
});

test('an outage of the database is logged once, and the end of a job is saved after it', async () => {
  const { createProcess, advance, poll, listRows } = fixtureOf();
  const { jobs, queue, log } = createProcess(
    defineTestKind(async () => {
      await rename('job', 'out_of_reach');
      return done;
    }),
  );
  await queue.schedule({ id: 'a', payload });
  await jobs.start();
  await poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
  await advance(12_000);
  queue.wake();
  await advance(12_000);
  expect(
    log.warn.mock.calls.filter(([, text]) => String(text).includes('save how a job ended')),
  ).toHaveLength(1);
  expect(log.error.mock.calls.map(([, text]) => text)).toEqual([
    expect.stringContaining("can't poll for background jobs"),
  ]);
  await rename('out_of_reach', 'job');
  await poll(async () => (await listRows()).length, 1_000).toBe(0);
  await jobs.stop(0);
});

test('an end that cannot be saved for half a minute is given up, and the job begins again', async () => {
  const { createProcess, advance, poll, listRows } = fixtureOf();
  let began = 0;
  const { jobs, queue, log } = createProcess(
    defineTestKind(async () => {
      began += 1;
      if (began === 1) await rename('job', 'out_of_reach');
      return done;
    }),
  );
  await queue.schedule({ id: 'a', payload });
  await jobs.start();
  await poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
  const findGivenUp = () => log.error.mock.calls.filter(([, text]) => text === "can't save how a job ended");
  for (let second = 0; second < 29; second += 1) await advance(1_000);
  expect(findGivenUp()).toEqual([]);
  await poll(findGivenUp, 1_000).toHaveLength(1);
  await rename('out_of_reach', 'job');
  await poll(async () => (await listRows()).length, 1_000).toBe(0);
  expect(began).toBe(2);
  await jobs.stop(0);
});

test('a process that is stopped while it claims jobs begins no other', async () => {
  const { createProcess, listRows } = fixtureOf();
  const began: string[] = [];
  let stopped: Promise<void> | undefined;
  const { jobs, queue } = createProcess(
    defineTestKind(async ({ id }) => {
      began.push(id);
      stopped ??= jobs.stop(dayMs);
      return done;
    }),
  );
  for (const id of ['a', 'b']) await queue.schedule({ id, payload });
  await jobs.start();
  await stopped;
  expect(began).toEqual(['a']);
  expect(await listRows()).toMatchObject([{ id: 'b', claim_token: null, attempts: 0 }]);
});

test('a check for missing jobs that failed is repeated after half a minute, and jobs run in the meantime', async () => {
  const { createProcess, advance, listRows } = fixtureOf();
  const listMissing = vi
    .fn<() => Promise<{ id: string; payload: typeof payload }[]>>()
    .mockRejectedValueOnce(new Error('the database is away'))
    .mockResolvedValue([{ id: 'missing', payload }]);
  const ran: string[] = [];
  const { jobs, queue } = createProcess(
    defineTestKind(
      async ({ id }) => {
        ran.push(id);
        return done;
      },
      { listMissing },
    ),
  );
  await queue.schedule({ id: 'a', payload });
  await jobs.start();
  await advance(29_000);
  expect([ran, listMissing.mock.calls.length]).toEqual([['a'], 1]);
  // The next poll is at most a minute after the last one.
  await advance(60_000);
  expect(ran).toEqual(['a', 'missing']);
  expect(await listRows()).toEqual([]);
  await jobs.stop(0);
});

/** Starts a process that loses the database during a job, right after it was told to stop. */
async function stopDuringOutage(graceMs: number) {
  const fixture = fixtureOf();
  const isStopping = Promise.withResolvers<void>();
  let runCount = 0;
  const process = fixture.createProcess(
    defineTestKind(async () => {
      runCount += 1;
      await isStopping.promise;
      await rename('job', 'out_of_reach');
      return done;
    }),
  );
  await process.queue.schedule({ id: 'a', payload });
  await process.jobs.start();
  await fixture.poll(() => runCount).toBe(1);
  const stopped = process.jobs.stop(graceMs);
  isStopping.resolve();
  const endOutage = () => rename('out_of_reach', 'job');
  return { ...fixture, ...process, stopped, endOutage };
}

test('the end of a job is saved although the database was out of reach for a moment during the stop', async () => {
  const { stopped, endOutage, advance, poll, log, listRows } = await stopDuringOutage(60_000);
  await poll(() => log.warn.mock.calls.length).toBe(1);
  await endOutage();
  await advance(1_000);
  await stopped;
  expect(await listRows()).toEqual([]);
});

test('a stop ends although the database stays out of reach', async () => {
  const { stopped, endOutage, log } = await stopDuringOutage(20);
  await stopped;
  expect(log.error).toHaveBeenCalledWith(expect.anything(), "can't release the running jobs");
  await endOutage();
});

describe('a periodic job', () => {
  /** Starts a process whose periodic job records when it runs. */
  async function startPeriodic({ clock }: ReturnType<typeof fixtureOf>, run?: () => Promise<void>) {
    const ranAfterMs: number[] = [];
    const jobs = createJobs({
      db: database.db,
      databaseClock: createLocalDatabaseClock(clock),
      hasReplicas: false,
      log: { warn: vi.fn(), error: vi.fn() },
    });
    jobs.definePeriodic({
      name: 'sweep',
      intervalMs: dayMs,
      async run() {
        ranAfterMs.push(clock.now() - startMs);
        await run?.();
      },
    });
    await jobs.start();
    return { jobs, ranAfterMs };
  }

  test('runs at the first start, and then at its interval, not from its end', async () => {
    const fixture = fixtureOf();
    const { jobs, ranAfterMs } = await startPeriodic(
      fixture,
      () =>
        // The job runs for three minutes.
        new Promise((resolve) => void fixture.clock.setTimer(fixture.clock.now() + 3 * minuteMs, resolve)),
    );
    for (let step = 0; step < 96; step += 1) await fixture.advance(dayMs / 32);
    await fixture.poll(() => ranAfterMs).toEqual([0, dayMs, 2 * dayMs, 3 * dayMs]);
    await jobs.stop(0);
  });

  test('that was missed for days runs once, and then at its interval from there', async () => {
    const fixture = fixtureOf();
    const first = await startPeriodic(fixture);
    await fixture.poll(() => first.ranAfterMs).toEqual([0]);
    await first.jobs.stop(0);
    fixture.clock.jumpTo(startMs + 10.5 * dayMs);
    const second = await startPeriodic(fixture);
    await fixture.advance(1.5 * dayMs);
    await fixture.poll(() => second.ranAfterMs).toEqual([10.5 * dayMs, 11.5 * dayMs]);
    await second.jobs.stop(0);
  });

  test('that a stop has interrupted runs again at the next start', async () => {
    const fixture = fixtureOf();
    const stopped = Promise.withResolvers<void>();
    const first = await startPeriodic(fixture, () => stopped.promise);
    await fixture.poll(() => first.ranAfterMs).toEqual([0]);
    const stopping = first.jobs.stop(dayMs);
    stopped.resolve();
    await stopping;
    await settle();
    const second = await startPeriodic(fixture);
    await fixture.poll(() => second.ranAfterMs).toEqual([0]);
    await second.jobs.stop(0);
  });
});
