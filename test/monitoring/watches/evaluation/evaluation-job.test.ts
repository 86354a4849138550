import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createEvaluationJob } from '../../../../src/monitoring/watches/evaluation/evaluation-job.ts';
import { createManualClock, type ManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-11-23T08:00Z');

let database: OpenDatabase;
let clock: ManualClock;
let active: Set<string>;
let suspended: Set<string>;
let withoutJob: readonly string[];
let evaluated: { readonly teamId: string; readonly atMs: number; readonly lastVps: string | null }[];
let running: number;
let mostRunning: number;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  clock = createManualClock(startMs);
  active = new Set();
  suspended = new Set();
  withoutJob = [];
  evaluated = [];
  [running, mostRunning] = [0, 0];
});
afterEach(() => database.close());

function createProcess(fail = false) {
  const log = { warn: vi.fn(), error: vi.fn() };
  const databaseClock = createLocalDatabaseClock(clock);
  const jobs = createJobs({ db: database.db, databaseClock, hasReplicas: true, maxSleepMs: minuteMs, log });
  const evaluation = createEvaluationJob({
    jobs,
    isActive: async (teamId) => !suspended.has(teamId),
    hasActiveWatches: async (teamId) => active.has(teamId),
    listTeamsWithoutJob: async () => withoutJob,
    async evaluate(teamId, lastVps) {
      evaluated.push({ teamId, atMs: clock.now(), lastVps });
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (fail) throw new Error('no');
      return { lastVps: `VPS-${evaluated.length}`, intervalMs: 2 * minuteMs, calls: 7 };
    },
    log,
  });
  return { jobs, evaluation, log };
}

const advance = (ms: number) => clock.advanceTo(clock.now() + ms, settle);
const timesOf = (team: string) =>
  evaluated.filter(({ teamId }) => teamId === team).map(({ atMs }) => atMs - startMs);

test('a workspace is evaluated at once, then every minute, and its cycles continue where the last one ended', async () => {
  const { jobs, evaluation } = createProcess();
  await jobs.start();
  active.add('T1');
  await evaluation.schedule('T1');
  await advance(5 * minuteMs);
  const [first, second = 0, ...more] = timesOf('T1');
  expect(first).toBe(0);
  expect(second).toBeLessThanOrEqual(minuteMs);
  expect(more).toHaveLength(4);
  expect(more).toEqual(more.map((_, index) => second + (index + 1) * minuteMs));
  expect(evaluated.map(({ lastVps }) => lastVps)).toEqual(
    evaluated.map((_, index) => (index === 0 ? null : `VPS-${index}`)),
  );
  expect(await evaluation.latestRate('T1')).toMatchObject({ intervalMs: 2 * minuteMs, calls: 7 });
  await jobs.stop(1_000);
});

test('a workspace without an active watch is not evaluated, until one is added or resumed', async () => {
  const { jobs, evaluation } = createProcess();
  await jobs.start();
  active.add('T1');
  await evaluation.schedule('T1');
  await advance(minuteMs);
  active.delete('T1');
  expect(await evaluation.latestRate('T1')).toBeUndefined();
  await advance(3 * minuteMs);
  const before = evaluated.length;
  expect(await database.db.selectFrom('job').selectAll().execute()).toEqual([]);
  active.add('T1');
  await evaluation.schedule('T1');
  await advance(1_000);
  expect(evaluated.length).toBeGreaterThan(before);
  await jobs.stop(1_000);
});

test('a suspended workspace is not evaluated, and logs nothing, until it is resumed', async () => {
  const { jobs, evaluation, log } = createProcess(true);
  await jobs.start();
  active.add('T1');
  suspended.add('T1');
  await evaluation.schedule('T1');
  await advance(3 * minuteMs);
  expect([evaluated.length, log.error.mock.calls.length]).toEqual([0, 0]);
  suspended.clear();
  await advance(minuteMs);
  expect(evaluated.length).toBeGreaterThan(0);
  await jobs.stop(1_000);
});

test('a cycle that fails is logged, and the next one is made', async () => {
  const { jobs, evaluation, log } = createProcess(true);
  await jobs.start();
  active.add('T1');
  await evaluation.schedule('T1');
  await advance(3 * minuteMs);
  expect(evaluated.length).toBeGreaterThanOrEqual(3);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ teamId: 'T1' }), expect.any(String));
  expect(await evaluation.latestRate('T1')).toMatchObject({ intervalMs: null, calls: 0 });
  await jobs.stop(1_000);
});

test('a workspace whose process ended between adding a watch and scheduling it is evaluated', async () => {
  const { jobs } = createProcess();
  active.add('T1');
  withoutJob = ['T1'];
  await jobs.start();
  await advance(3 * minuteMs);
  expect(timesOf('T1')).toHaveLength(4);
  await jobs.stop(1_000);
});
