import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Run } from '../../../src/operations/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/operations/runs/run-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { runOf } from './run-of.ts';

const origin = { channel: 'C0OPS', threadTs: '1.2', responseUrl: 'https://hooks.example/1' };
const place = { channel: 'C0OPS', threadTs: '1.2' };
const lease = { owner: 'a process', untilMs: 99_000 };
const result = { kind: 'outcome', outcome: { title: 'Done' } } as const;

let database: OpenDatabase;
let runs: RunStore;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  runs = createRunStore(database.db);
});
afterEach(() => database.close());

async function claim(over: Partial<Run>): Promise<void> {
  await runs.claim(runOf({ origin, settledMs: null, notAfterMs: 5_000, ...over }), 'key', lease);
}

const originOf = async () => (await runs.find('run-1'))?.origin;

test('a response URL stays until the end of a run has been told, and no longer', async () => {
  await claim({ status: 'sent' });
  await runs.told('run-1', 2_000);
  expect(await originOf()).toEqual(origin);
  const end = { status: 'done', result, nowMs: 2_000, untilTold: lease } as const;
  await runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, ...end });
  expect(await originOf()).toEqual(origin);
  await runs.told('run-1', 2_000);
  expect(await originOf()).toEqual(place);
});

test('what lapses once its asker has seen its card keeps no response URL', async () => {
  await claim({ status: 'waiting' });
  await runs.show('run-1', 'running', { notAfterMs: 5_000, askedAgainMs: null }, lease);
  await runs.cardTold('run-1');
  expect(await runs.lapse(result, lease, 6_000)).toMatchObject([{ isUntold: false }]);
  expect(await originOf()).toEqual(place);
});

test('what a workspace that is gone leaves behind is told by it, and keeps it no longer', async () => {
  await claim({ status: 'queued' });
  expect(await runs.abandon('T0ACME', result, 6_000)).toMatchObject([{ origin }]);
  await runs.told('run-1', 6_000);
  expect(await originOf()).toEqual(place);
});

test('what is put on record has none', async () => {
  const { asker } = runOf();
  const entry = { asker, operation: 'connect', target: null, origin, status: 'done' } as const;
  await runs.record({ ...entry, outcome: { title: 'Connected' }, nowMs: 1 });
  const kept = await database.db.selectFrom('run').select('origin').execute();
  expect(kept.map((row) => JSON.parse(row.origin))).toEqual([place]);
});
