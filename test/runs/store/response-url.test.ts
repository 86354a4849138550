import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import type { Run } from '../../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { createRun } from '../create-run.ts';

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
  await runs.claim(createRun({ origin, settledMs: null, expiresMs: 5_000, ...over }), 'key', lease);
}

const findOrigin = async () => (await runs.find('run-1'))?.origin;

test('a response URL is deleted once the end of its run was reported', async () => {
  await claim({ status: 'sent' });
  await runs.markDelivered('run-1', 2_000);
  expect(await findOrigin()).toEqual(origin);
  const end = { status: 'done', result, nowMs: 2_000, notificationLease: lease } as const;
  await runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, ...end });
  expect(await findOrigin()).toEqual(origin);
  await runs.markDelivered('run-1', 2_000);
  expect(await findOrigin()).toEqual(place);
});

test('a run that expires after its card was delivered has no response URL', async () => {
  await claim({ status: 'waiting' });
  await runs.saveConfirmation('run-1', 'running', { expiresMs: 5_000, reconfirmedMs: null }, lease);
  await runs.markConfirmationDelivered('run-1');
  expect(await runs.expireOverdue(result, lease, 6_000)).toMatchObject([{ needsNotification: false }]);
  expect(await findOrigin()).toEqual(place);
});

test('a run expired by an uninstall keeps its response URL until its end was reported', async () => {
  await claim({ status: 'queued' });
  expect(await runs.expireUnsent('T0ACME', result, 6_000)).toMatchObject([{ origin }]);
  await runs.markDelivered('run-1', 6_000);
  expect(await findOrigin()).toEqual(place);
});

test('an audit entry has no response URL', async () => {
  const { actor } = createRun();
  const entry = { actor, operation: 'connect', target: null, origin, status: 'done' } as const;
  await runs.addAuditEntry({ ...entry, outcome: { title: 'Connected' }, nowMs: 1 });
  const kept = await database.db.selectFrom('run').select('origin').execute();
  expect(kept.map((row) => JSON.parse(row.origin))).toEqual([place]);
});
