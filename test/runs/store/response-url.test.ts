import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { expiredProblem } from '../../../src/runs/problem.ts';
import type { Run } from '../../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const origin = { channel: 'C0OPS', threadTs: '1.2', responseUrl: 'https://hooks.example/1' };
const place = { channel: 'C0OPS', threadTs: '1.2' };
const lease = { owner: 'a process', untilMs: 99_000 };
const result = { kind: 'outcome', outcome: { title: 'Done' } } as const;
const expired = { kind: 'problem', problem: expiredProblem() } as const;

let database: OpenDatabase;
let runs: RunStore;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  runs = createRunStore(database.db, testVault);
});
afterEach(() => database.close());

async function claim(over: Partial<Run>): Promise<void> {
  await runs.claim(createRun({ origin, settledMs: null, expiresMs: 5_000, ...over }), 'key', lease);
}

/** The columns of a run that could contain its response URL. */
async function readColumns() {
  const { origin: stored, response_url_jwe: jwe } = await database.db
    .selectFrom('run')
    .select(['origin', 'response_url_jwe'])
    .executeTakeFirstOrThrow();
  return { origin: JSON.parse(stored), jwe };
}

test('a response URL is stored encrypted, and only for its own run', async () => {
  await claim({ status: 'sent' });
  const { origin: stored, jwe } = await readColumns();
  expect(stored).toEqual(place);
  expect(jwe).not.toContain('hooks');
  expect(await runs.findResponseUrl('run-1')).toBe(origin.responseUrl);
  await runs.claim(createRun({ id: 'run-2', origin }), 'another key', lease);
  await database.db.updateTable('run').set({ response_url_jwe: jwe }).where('id', '=', 'run-2').execute();
  expect(await runs.findResponseUrl('run-2')).toBeUndefined();
});

test('a response URL is deleted once the end of its run was reported', async () => {
  await claim({ status: 'sent' });
  await runs.markDelivered('run-1', 2_000);
  expect(await runs.findResponseUrl('run-1')).toBe(origin.responseUrl);
  const end = { status: 'done', result, nowMs: 2_000, report: 'reply', leaseUntilMs: lease.untilMs } as const;
  await runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, ...end });
  expect(await runs.findResponseUrl('run-1')).toBe(origin.responseUrl);
  await runs.markDelivered('run-1', 2_000);
  expect(await readColumns()).toEqual({ origin: place, jwe: null });
});

test('a run that expires after its card was delivered has no response URL', async () => {
  await claim({ status: 'waiting' });
  await runs.saveConfirmation(createRun(), { kind: 'without-state' }, 5_000, lease.owner);
  await runs.markConfirmationDelivered('run-1', lease.owner);
  expect(await runs.expireOverdue(expired, 6_000)).toHaveLength(1);
  expect(await readColumns()).toEqual({ origin: place, jwe: null });
});

test('a run with a message of its own has no response URL once it has ended', async () => {
  await claim({ status: 'sent' });
  const end = { status: 'done', result, nowMs: 2_000 } as const;
  await runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, ...end });
  expect(await readColumns()).toEqual({ origin: place, jwe: null });
});

test('an audit entry has no response URL', async () => {
  const { actor } = createRun();
  const entry = { actor, operation: 'connect', target: null, origin, status: 'done' } as const;
  await runs.addAuditEntry({ ...entry, outcome: { title: 'Connected' }, nowMs: 1 });
  expect(await readColumns()).toEqual({ origin: place, jwe: null });
});
