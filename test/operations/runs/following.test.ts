import { afterEach, beforeEach, expect, test } from 'vitest';
import { RackhandError } from '../../../src/error.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { vpsArgument } from '../../../src/operations/argument.ts';
import { createCatalogue } from '../../../src/operations/catalogue.ts';
import { defineChange, type OperationContext, type Progress } from '../../../src/operations/operation.ts';
import { createFollowing, type Following } from '../../../src/operations/runs/following.ts';
import { createFollowingStore } from '../../../src/operations/runs/following-store.ts';
import { createRunStore, type RunStore } from '../../../src/operations/runs/run-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { eventually } from '../../eventually.ts';
import { runOf } from './run-of.ts';

let database: OpenDatabase;
let runs: RunStore;
let told: string[];
let looks: (() => Progress)[];
let nowMs: number;
const following: Following[] = [];

const over = (words: string): Progress => ({ isOver: true, words });
const goingOn = (words: string): Progress => ({ isOver: false, words });

const catalogue = createCatalogue([
  {
    heading: 'Test',
    operations: [
      defineChange({
        name: 'restart',
        heading: 'Restart',
        summary: 'Restart',
        arguments: { vps: vpsArgument() },
        change: performVpsAction,
        button: 'Restart',
        title: ({ vps }) => `Restart ${vps}`,
        target: ({ vps }) => vps,
        request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
        outcome: () => ({ title: 'Restarting' }),
        // The last look is repeated: work that does not move.
        follow: async () => (looks.length > 1 ? looks.shift() : looks[0])?.() ?? over('nothing to see'),
      }),
    ],
  },
]);

const context: OperationContext = {
  catalogue,
  progress() {},
  read: () => Promise.reject(new Error('not read here')),
  usage: () => Promise.reject(new Error('not used here')),
  timeZone: async () => 'UTC',
  reach: async () => () => undefined,
  asker: { teamId: 'T', userId: 'U' },
  origin: {},
};

const run = runOf({ id: 'run', operation: 'restart' });

function start(owner: string): Following {
  const created = createFollowing({
    store: createFollowingStore(database.db),
    runs,
    catalogue,
    contextFor: () => context,
    announce: ({ progress }) => void told.push(progress?.words ?? ''),
    owner,
    pauseMs: 1,
    now: () => nowMs,
    log: { error: (...words: unknown[]) => expect.unreachable(JSON.stringify(words)) },
  });
  following.push(created);
  return created;
}

const stillFollowed = () => database.db.selectFrom('following').select('run_id').execute();

beforeEach(async () => {
  nowMs = 1_000;
  told = [];
  looks = [];
  database = await openDatabase('sqlite::memory:');
  runs = createRunStore(database.db);
  await runs.claim(run, 'key', { owner: 'first', untilMs: 0 });
});

afterEach(async () => {
  for (const one of following.splice(0)) one.stop();
  await database.close();
});

test('what goes on is told as it changes, until it is over', async () => {
  looks = [
    () => goingOn('It stops.'),
    () => goingOn('It stops.'),
    () => goingOn('It starts.'),
    () => over('It runs.'),
  ];
  await start('first').begin(run);
  await eventually(async () => expect(await stillFollowed()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It runs.']);
  expect((await runs.find('run'))?.progress).toEqual(over('It runs.'));
});

test('a look that fails for a while is repeated, and one that cannot succeed ends it', async () => {
  const fail = (code: 'service_failed' | 'not_found') => () => {
    throw new RackhandError(code, 'no');
  };
  looks = [
    () => goingOn('It stops.'),
    fail('service_failed'),
    () => goingOn('It starts.'),
    fail('not_found'),
  ];
  await start('first').begin(run);
  await eventually(async () => expect(await stillFollowed()).toEqual([]));
  expect(told).toEqual(['It stops.', 'It starts.', 'It starts. It is no longer followed here.']);
  expect((await runs.find('run'))?.progress).toMatchObject({ isOver: true, isUnseen: true });
});

test('after five minutes it says that nobody looks any more', async () => {
  looks = [() => goingOn('It stops.')];
  await start('first').begin(run);
  await eventually(() => expect(told).toEqual(['It stops.']));
  nowMs += 5 * 60_000;
  await eventually(async () => expect(await stillFollowed()).toEqual([]));
  expect(told.at(-1)).toBe('It stops. It is no longer followed here.');
  expect((await runs.find('run'))?.progress).toMatchObject({ isOver: true, isUnseen: true });
});

test('a restart goes on with it', async () => {
  looks = [() => goingOn('It stops.')];
  const first = start('first');
  await first.begin(run);
  await eventually(() => expect(told).toEqual(['It stops.']));
  first.stop();
  looks = [() => over('It runs.')];
  await start('second').adopt(Number.MAX_SAFE_INTEGER);
  await eventually(() => expect(told).toEqual(['It stops.', 'It runs.']));
});

test('a living replica keeps what it follows', async () => {
  looks = [() => goingOn('It stops.')];
  await start('first').begin(run);
  await eventually(() => expect(told).toEqual(['It stops.']));
  await start('second').adopt(nowMs);
  expect(await database.db.selectFrom('following').select('owner').execute()).toEqual([{ owner: 'first' }]);
});
