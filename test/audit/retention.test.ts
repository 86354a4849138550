import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAuditStore } from '../../src/audit/audit-store.ts';
import { createRetention } from '../../src/audit/retention.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/database.ts';
import { insertRuns, listRunRows } from './insert-runs.ts';

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
  createRetention({ store: createAuditStore(database.db), days, log, now: () => nowMs });

const listRunIds = async () => (await listRunRows(database.db)).map(({ id }) => id);

test('deletes all runs that settled before the retention period', async () => {
  const old = Array.from({ length: 450 }, (_, index) => ({
    id: `old-${index}`,
    settled_at: nowMs - 365 * dayMs - 1 - index,
  }));
  await insertRuns(database.db, [
    ...old,
    { id: 'young', settled_at: nowMs - 365 * dayMs },
    { id: 'waiting', status: 'waiting', requested_at: 1, settled_at: null },
  ]);
  await replica(365).deleteExpired();
  expect(await listRunIds()).toEqual(['waiting', 'young']);
  expect(log.info).toHaveBeenCalledWith({ runs: 450 }, expect.any(String));
});

test('runs once a day, on one replica', async () => {
  await Promise.all([1, 2, 3].map(() => replica(1).deleteExpired()));
  await insertRuns(database.db, [{ id: 'old', settled_at: 1 }]);
  nowMs += dayMs / 2;
  await replica(1).deleteExpired();
  expect(await listRunIds()).toEqual(['old']);
  nowMs += dayMs / 2;
  await Promise.all([1, 2, 3].map(() => replica(1).deleteExpired()));
  expect(await listRunIds()).toEqual([]);
});

test('0 days keep everything', async () => {
  await insertRuns(database.db, [{ id: 'old', settled_at: 1 }]);
  await replica(0).deleteExpired();
  expect(await listRunIds()).toEqual(['old']);
});
