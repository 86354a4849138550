import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import type { RunStatus } from '../../../src/db/schema/schema.ts';
import { RackhandError } from '../../../src/errors.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { type Clock, createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs, type Jobs } from '../../../src/jobs/jobs.ts';
import { vpsArgument } from '../../../src/operations/choices/sources/vps.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import { defineChange } from '../../../src/operations/define/define-operation.ts';
import type { OperationContext } from '../../../src/operations/define/operation.ts';
import type { Progress } from '../../../src/operations/define/target-state.ts';
import { createProgressPoller } from '../../../src/runs/progress-poller.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { eventually } from '../../eventually.ts';
import { collectShown } from '../collect-shown.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

let database: OpenDatabase;
let runs: RunStore;
let told: string[] = [];
let readings: (() => Progress | Promise<Progress>)[];
let statuses: string[] = [];
let nowMs: number;
let startedMs: number;
let processes: { readonly jobs: Jobs }[] = [];

const finished = (text: string): Progress => ({ isFinished: true, text });
const inProgress = (text: string): Progress => ({ isFinished: false, text });

const restart = defineChange({
  name: 'restart',
  heading: 'Restart',
  summary: 'Restart',
  arguments: { vps: vpsArgument() },
  endpoint: performVpsAction,
  button: 'Restart',
  title: ({ vps }) => `Restart ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
  outcome: () => ({ title: 'Restarting' }),
  // The last reading repeats: no further progress.
  readProgress: async () =>
    (readings.length > 1 ? readings.shift() : readings[0])?.() ?? finished('nothing to see'),
});

const catalogue = createCatalogue([{ heading: 'Test', operations: [restart] }]);

const context: OperationContext = {
  catalogue,
  reportProgress() {},
  read: () => Promise.reject(new Error('not read here')),
  quotaUsage: () => Promise.reject(new Error('not used here')),
  timeZone: async () => 'UTC',
  loadAccess: async () => () => undefined,
  workspace: { teamId: 'T1', listVpsAliases: async () => new Map() },
  actor: { teamId: 'T', userId: 'U' },
  origin: {},
};

const run = createRun({ id: 'run', operation: 'restart', status: 'sent', settledMs: null });

function createChange() {
  const parsed = parseInput(restart, run.input);
  if (restart.kind !== 'change' || parsed.kind !== 'valid') throw new Error('it is no valid change');
  return { run, operation: restart, parsed };
}

const change = createChange();

/** Starts a process. Its clock runs, and a test can set it. */
async function start({ hasReplicas = false } = {}) {
  const system = createSystemClock();
  const now = () => nowMs + system.now() - startedMs;
  const clock: Clock = {
    now,
    setTimer: (atMs, run) => system.setTimer(system.now() + atMs - now(), run),
  };
  const log = { warn: () => {}, error: (...text: unknown[]) => expect.unreachable(JSON.stringify(text)) };
  const databaseClock = createLocalDatabaseClock(clock);
  const jobs = createJobs({ db: database.db, databaseClock, hasReplicas, maxSleepMs: 5, log });
  const poller = createProgressPoller({
    jobs,
    runs,
    catalogue,
    createContext: () => context,
    unreadableRuns: { add: () => expect.unreachable() },
    withRetry: (work) => work(),
    log: { error: () => expect.unreachable() },
    intervalMs: 5,
  });
  await jobs.start();
  const started = { jobs, poller };
  processes.push(started);
  return started;
}

/** Settles the run, as the service's answer does. */
async function settle(from: readonly RunStatus[] = ['sent']): Promise<void> {
  const end = { status: 'done', result: { kind: 'outcome', outcome: { title: 'Restarting' } } } as const;
  await runs.settle({ id: 'run', from, owner: 'first', nowMs: 1_000, ...end });
}

const listPolls = () =>
  database.db.selectFrom('job').select('id').where('kind', '=', 'run-progress').execute();

beforeEach(async () => {
  nowMs = 1_000;
  startedMs = Date.now();
  readings = [];
  database = await openDatabase('sqlite::memory:');
  runs = createRunStore(
    database.db,
    testVault,
    collectShown(({ progress, status }) => {
      if (!progress) return;
      told.push(progress.text);
      statuses.push(status);
    }),
  );
  await runs.claim(run, 'key', { owner: 'first', untilMs: 0 });
  await settle();
  told = [];
  statuses = [];
});

afterEach(async () => {
  for (const { jobs } of processes) await jobs.stop(1_000);
  processes = [];
  await database.close();
});

test('progress is announced as it changes, until it has finished', async () => {
  readings = [
    () => inProgress('It stops.'),
    () => inProgress('It stops.'),
    () => inProgress('It starts.'),
    () => finished('It runs.'),
  ];
  await (await start()).poller.start(change);
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It runs.']);
  expect((await runs.find('run'))?.progress).toMatchObject({
    ...finished('It runs.'),
    endedMs: expect.any(Number),
  });
});

test('a retryable error keeps polling, any other error ends it', async () => {
  const fail = (code: 'service_failed' | 'not_found') => () => {
    throw new RackhandError(code, 'no');
  };
  readings = [
    () => inProgress('It stops.'),
    fail('service_failed'),
    () => inProgress('It starts.'),
    fail('not_found'),
  ];
  await (await start()).poller.start(change);
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It starts. Rackhand no longer checks the progress.']);
  expect((await runs.find('run'))?.progress).toMatchObject({ isFinished: true, isEndUnknown: true });
});

test('polling ends after two hours with a note', async () => {
  readings = [() => inProgress('It stops.')];
  await (await start()).poller.start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  nowMs += 2 * 60 * 60_000;
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told.at(-1)).toBe('It stops. Rackhand no longer checks the progress.');
  expect((await runs.find('run'))?.progress).toMatchObject({ isFinished: true, isEndUnknown: true });
});

test('polling goes on after the clock was set back', async () => {
  nowMs = 100 * 60 * 60_000;
  readings = [() => inProgress('It stops.')];
  await (await start()).poller.start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  readings = [() => finished('It runs.')];
  nowMs -= 60 * 60_000;
  await eventually(() => expect(told).toEqual(['It stops.', 'It runs.']));
});

test('a restarted process continues polling', async () => {
  readings = [() => inProgress('It stops.')];
  const first = await start();
  await first.poller.start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  await first.jobs.stop(1_000);
  readings = [() => finished('It runs.')];
  await start();
  await eventually(() => expect(told).toEqual(['It stops.', 'It runs.']));
});

test('what a frozen process has read is dropped if another one has continued', async () => {
  const thawed = Promise.withResolvers<void>();
  const frozen = await start({ hasReplicas: true });
  readings = [() => inProgress('It stops.')];
  vi.spyOn(runs, 'saveProgress').mockImplementationOnce(async (...saved) => {
    await thawed.promise;
    return createRunStore(database.db, testVault).saveProgress(...saved);
  });
  await frozen.poller.start(change);
  await eventually(async () => expect((await frozen.jobs.count()).running.get('run-progress')).toBe(1));
  // It doesn't renew its lease.
  await database.db.updateTable('job').set({ claimable_at: 0 }).execute();
  readings = [() => finished('It runs.')];
  await start({ hasReplicas: true });
  await eventually(() => expect(told).toEqual(['It runs.']));
  thawed.resolve();
  await frozen.jobs.stop(1_000);
  expect(told).toEqual(['It runs.']);
  expect((await runs.find('run'))?.progress).toMatchObject({
    ...finished('It runs.'),
    endedMs: expect.any(Number),
  });
});
