import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Vault } from '../../../src/db/encryption/vault.ts';
import type { RunTable } from '../../../src/db/schema/schema.ts';
import type { Run } from '../../../src/runs/run.ts';
import { bufferReads } from '../../../src/runs/store/buffered-reads.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { eventually } from '../../eventually.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const lease = { owner: 'this process', untilMs: 99_000 };
const origin = { channel: 'C0OPS', responseUrl: 'https://hooks.example/1' };
const place = { channel: 'C0OPS' };
const result = { kind: 'outcome', outcome: { title: 'Shown' } } as const;

const database = useTestDatabase(startSqlite);
let stored: RunStore;
let runs: RunStore;
let errors: unknown[];
/** Called when the buffer has begun to write a read that hasn't ended. */
let onWrite: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  errors = [];
  onWrite = () => undefined;
  stored = createRunStore(database.db, testVault);
  const log = { error: (fields: unknown) => void errors.push(fields) } as never;
  const vault: Vault = {
    ...testVault,
    encrypt(...secret) {
      onWrite();
      return testVault.encrypt(...secret);
    },
  };
  ({ runs } = bufferReads(stored, { db: database.db, vault, log }));
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Waits until the row is stored. Its response URL is encrypted in a thread, which fake timers don't wait for. */
const findStored = (id: string) =>
  eventually(async () => {
    const row = await findRow(id);
    expect(row).toBeDefined();
    return row;
  });

function claim(id: string, over: Partial<Run> = {}, requestKey = id): Promise<boolean> {
  const read = createRun({
    id,
    operation: 'show',
    title: null,
    status: 'queued',
    settledMs: null,
    origin,
    ...over,
  });
  return runs.claim(read, requestKey, lease, { isRead: true });
}

function settle(id: string): Promise<boolean> {
  const notificationLease = lease;
  return runs.settle({
    id,
    from: ['queued', 'unknown'],
    owner: lease.owner,
    notificationLease,
    status: 'done',
    result,
    nowMs: 5_000,
  });
}

const listRows = () => database.db.selectFrom('run').selectAll().orderBy('id').execute();

async function findRow(id: string): Promise<Partial<RunTable> | undefined> {
  return (await listRows()).find((row) => row.id === id);
}

test('reads that end soon are written once, after their replies were sent', async () => {
  const prepare = vi.spyOn(database.db, 'insertInto');
  for (const id of ['one', 'two', 'three']) {
    expect(await claim(id)).toBe(true);
    expect(await settle(id)).toBe(true);
    await runs.markDelivered(id);
  }
  expect(await listRows()).toEqual([]);
  await pass(100);
  expect(prepare).toHaveBeenCalledTimes(1);
  const rows = await listRows();
  expect(rows.map(({ id }) => id)).toEqual(['one', 'three', 'two']);
  expect(rows[0]).toMatchObject({
    request_key: 'one',
    user_id: 'U0ALICE',
    status: 'done',
    settled_at: 5_000,
    outcome: JSON.stringify(result),
    origin: JSON.stringify(place),
    owner: null,
    lease_until: null,
    response_url_jwe: null,
  });
});

test('a read that takes longer is written before its end, so that its end can be reported after a crash', async () => {
  await claim('slow');
  await pass(199);
  expect(await findStored('slow')).toMatchObject({ status: 'queued', owner: lease.owner });
  expect(await stored.findResponseUrl('slow')).toBe(origin.responseUrl);
  expect(await settle('slow')).toBe(true);
  expect(await findRow('slow')).toMatchObject({ status: 'done', owner: lease.owner });
  await runs.markDelivered('slow');
  expect(await findRow('slow')).toMatchObject({ status: 'done', owner: null, response_url_jwe: null });
});

test('a request is claimed once, in the buffer and in the database', async () => {
  expect(await Promise.all([claim('one', {}, 'a key'), claim('two', {}, 'a key')])).toEqual([true, false]);
  await pass(200);
  await findStored('one');
  expect(await claim('three', {}, 'a key')).toBe(false);
  await pass(200);
  expect((await listRows()).map(({ id }) => id)).toEqual(['one']);
});

test('a change is stored at once', async () => {
  expect(await runs.claim(createRun({ id: 'change', status: 'waiting' }), 'change', lease)).toBe(true);
  expect(await findRow('change')).toMatchObject({ status: 'waiting' });
});

test('a read that settles while it is being written is settled in the database', async () => {
  await claim('read');
  let settling: Promise<boolean> | undefined;
  onWrite = () => {
    settling ??= settle('read');
  };
  await runs.find('read');
  expect(await settling).toBe(true);
  expect(await findRow('read')).toMatchObject({ status: 'done', owner: lease.owner });
});

test('reads wait for a database that is away, and further ones fail', async () => {
  await claim('one');
  await claim('two');
  await database.db.schema.alterTable('run').renameTo('away').execute();
  await pass(100);
  await eventually(() => expect(errors).toEqual([expect.objectContaining({ reads: 2 })]));
  await expect(claim('three')).rejects.toThrow();
  await expect(runs.ensureStored('one')).rejects.toThrow("can't be stored");
  await pass(3_000);
  await database.db.schema.alterTable('away').renameTo('run').execute();
  await settle('two');
  await eventually(async () => {
    // Response URLs are encrypted in real time, so it isn't known when the next write begins.
    await pass(1_000);
    expect(await listRows()).toHaveLength(2);
  });
  expect(await findRow('one')).toMatchObject({ status: 'queued' });
  expect(await findRow('two')).toMatchObject({ status: 'done' });
  expect(errors).toHaveLength(1);
  await eventually(async () => expect(await claim('three')).toBe(true));
});

test('all reads are written before the leases end, also after a failure', async () => {
  await claim('bad', { actor: { teamId: 'T0ACME', userId: null as never } });
  await Promise.all(Array.from({ length: 250 }, (_, index) => claim(`read ${index}`)));
  await runs.endLeases(lease.owner, 0);
  expect(await listRows()).toHaveLength(250);
  expect((await listRows()).every(({ lease_until }) => lease_until === 0)).toBe(true);
});
