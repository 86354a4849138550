import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { createRecordStore } from '../../../src/workspaces/record/record-store.ts';
import { createRetention } from '../../../src/workspaces/record/retention.ts';
import { keepRuns, rowsOf } from './kept-runs.ts';

const dayMs = 24 * 60 * 60_000;
const log = { error: vi.fn(), info: vi.fn() };

let database: OpenDatabase;
let nowMs: number;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  nowMs = 1_000 * dayMs;
});
afterEach(() => database.close());

const replica = (days: number) =>
  createRetention({ store: createRecordStore(database.db), days, log, now: () => nowMs });

const left = async () => (await rowsOf(database.db)).map(({ id }) => id);

test('runs that ended longer ago than the record is kept are forgotten, however many they are', async () => {
  const old = Array.from({ length: 450 }, (_, index) => ({
    id: `old-${index}`,
    settled_at: nowMs - 365 * dayMs - 1 - index,
  }));
  await keepRuns(database.db, [
    ...old,
    { id: 'young', settled_at: nowMs - 365 * dayMs },
    { id: 'waiting', status: 'waiting', requested_at: 1, settled_at: null },
  ]);
  await replica(365).look();
  expect(await left()).toEqual(['waiting', 'young']);
  expect(log.info).toHaveBeenCalledWith({ runs: 450 }, expect.any(String));
});

test('of several replicas one looks, once a day', async () => {
  await Promise.all([1, 2, 3].map(() => replica(1).look()));
  await keepRuns(database.db, [{ id: 'old', settled_at: 1 }]);
  nowMs += dayMs / 2;
  await replica(1).look();
  expect(await left()).toEqual(['old']);
  nowMs += dayMs / 2;
  await Promise.all([1, 2, 3].map(() => replica(1).look()));
  expect(await left()).toEqual([]);
});

test('0 days keep the record for ever', async () => {
  await keepRuns(database.db, [{ id: 'old', settled_at: 1 }]);
  await replica(0).look();
  expect(await left()).toEqual(['old']);
});
