import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { RackhandError } from '../../../src/errors.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { vpsArgument } from '../../../src/operations/choices/sources/vps.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import { defineChange } from '../../../src/operations/define/define-operation.ts';
import type { OperationContext } from '../../../src/operations/define/operation.ts';
import type { Progress } from '../../../src/operations/define/target-state.ts';
import { createProgressPollStore } from '../../../src/runs/progress/progress-poll-store.ts';
import { createProgressPoller, type ProgressPoller } from '../../../src/runs/progress/progress-poller.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { eventually } from '../../eventually.ts';
import { createRun } from '../create-run.ts';

let database: OpenDatabase;
let runs: RunStore;
let told: string[];
let readings: (() => Progress)[];
let nowMs: number;
const pollers: ProgressPoller[] = [];

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

const run = createRun({ id: 'run', operation: 'restart' });

function createChange() {
  const parsed = parseInput(restart, run.input);
  if (restart.kind !== 'change' || parsed.kind !== 'valid') throw new Error('it is no valid change');
  return { run, operation: restart, parsed };
}

const change = createChange();

function start(owner: string): ProgressPoller {
  const created = createProgressPoller({
    store: createProgressPollStore(database.db),
    runs,
    catalogue,
    createContext: () => context,
    unreadableRuns: { add: () => expect.unreachable() },
    announce: ({ progress }) => void told.push(progress?.text ?? ''),
    owner,
    intervalMs: 1,
    now: () => nowMs,
    log: { error: (...text: unknown[]) => expect.unreachable(JSON.stringify(text)) },
  });
  pollers.push(created);
  return created;
}

const listPolls = () => database.db.selectFrom('progress_poll').select('run_id').execute();

beforeEach(async () => {
  nowMs = 1_000;
  told = [];
  readings = [];
  database = await openDatabase('sqlite::memory:');
  runs = createRunStore(database.db);
  await runs.claim(run, 'key', { owner: 'first', untilMs: 0 });
});

afterEach(async () => {
  for (const one of pollers.splice(0)) one.stop();
  await database.close();
});

test('progress is announced as it changes, until it has finished', async () => {
  readings = [
    () => inProgress('It stops.'),
    () => inProgress('It stops.'),
    () => inProgress('It starts.'),
    () => finished('It runs.'),
  ];
  await start('first').start(change);
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It runs.']);
  expect((await runs.find('run'))?.progress).toEqual(finished('It runs.'));
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
  await start('first').start(change);
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It starts. Rackhand no longer checks its progress.']);
  expect((await runs.find('run'))?.progress).toMatchObject({ isFinished: true, isEndUnknown: true });
});

test('polling ends after five minutes with a note', async () => {
  readings = [() => inProgress('It stops.')];
  await start('first').start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  nowMs += 5 * 60_000;
  await eventually(async () => expect(await listPolls()).toEqual([]));
  expect(told.at(-1)).toBe('It stops. Rackhand no longer checks its progress.');
  expect((await runs.find('run'))?.progress).toMatchObject({ isFinished: true, isEndUnknown: true });
});

test('a restarted process continues polling', async () => {
  readings = [() => inProgress('It stops.')];
  const first = start('first');
  await first.start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  first.stop();
  readings = [() => finished('It runs.')];
  await start('second').adopt(Number.MAX_SAFE_INTEGER);
  await eventually(() => expect(told).toEqual(['It stops.', 'It runs.']));
});

test('polls of a living replica are not taken over', async () => {
  readings = [() => inProgress('It stops.')];
  await start('first').start(change);
  await eventually(() => expect(told).toEqual(['It stops.']));
  await start('second').adopt(nowMs);
  expect(await database.db.selectFrom('progress_poll').select('owner').execute()).toEqual([
    { owner: 'first' },
  ]);
});
