import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openClaimedDatabase } from '../../src/app/claimed-database.ts';
import { createCallJournal } from '../../src/db/call-journal.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import {
  acquireReplicaLock,
  otherClaimMs,
  type ReplicaLock,
  replicaLockId,
} from '../../src/db/engines/replica-lock.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { findFreePort } from '../services/find-free-port.ts';
import { createPostgresDatabase } from '../services/postgres.ts';

let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
const log = { error: vi.fn(), info: vi.fn() };

beforeAll(async () => {
  server = await createPostgresDatabase();
});
afterAll(() => server.stop());

const acquired: ReplicaLock[] = [];
afterEach(async () => {
  await Promise.all(acquired.splice(0).map((lock) => lock.release()));
});

async function acquire(isShared: boolean): Promise<ReplicaLock> {
  const lock = await acquireReplicaLock(server.url, { isShared, log });
  acquired.push(lock);
  return lock;
}

test('one process without Redis excludes every other, until it ends', async () => {
  const first = await acquire(false);
  await expect(acquire(false)).rejects.toMatchObject({
    code: 'database_claimed',
    message: expect.stringContaining('set REDIS_URL for both'),
  });
  await expect(acquire(true)).rejects.toMatchObject({
    message: expect.stringContaining('A Rackhand process without REDIS_URL uses this database'),
  });
  await first.release();
  const second = await acquire(false);
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
});

test('processes with Redis share the database', async () => {
  await Promise.all([acquire(true), acquire(true), acquire(true)]);
  await expect(acquire(false)).rejects.toMatchObject({ code: 'database_claimed' });
});

test('during a deploy, a new process waits for the old one, answers liveness checks, and refuses to start if that one stays', async () => {
  const port = await findFreePort();
  const open = (stopGraceSeconds: number) => {
    const config = { databaseUrl: server.url, server: { port, host: '127.0.0.1' }, stopGraceSeconds };
    return openClaimedDatabase(config, createMetrics().dependencies, pino({ level: 'silent' }));
  };
  const old = await open(25);
  // The wait is the longest stop and 10 s more.
  await expect(open(-13)).rejects.toMatchObject({ code: 'database_claimed' });

  const waiting = open(25);
  const status = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status;
  await expect.poll(() => status('/healthz')).toBe(200);
  expect(await status('/readyz')).toBe(503);
  await old.close();
  const next = await waiting;
  expect([next.isClaimed(), await status('/healthz')]).toEqual([true, undefined]);
  await next.close();
});

test('a lost connection takes the lock again', async () => {
  const lock = await acquire(false);
  log.info.mockClear();
  await endLockConnections();
  await expect.poll(() => log.info.mock.calls.length).toBe(1);
  expect(lock.isHeld()).toBe(true);
});

test('a process whose lock went to another one says so once, sends nothing, and goes on a while after it has the lock again', async () => {
  log.error.mockClear();
  log.info.mockClear();
  let nowMs = 0;
  const lock = await acquireReplicaLock(server.url, { isShared: false, log, now: () => nowMs });
  acquired.push(lock);
  const { db, close } = await openDatabase(server.url);
  onTestFinished(close);
  const journal = createCallJournal(db, lock.isHeld);
  const record = () => journal.recordSent({ fingerprint: 'f', callId: 'c', lane: 'people', sentAtMs: 1 });
  const other = new pg.Client(server.url);
  await other.connect();
  const got = other.query('select pg_advisory_lock($1)', [replicaLockId]);
  await expect.poll(countWaiting).toBe(1);
  await endLockConnections();
  await got;
  await expect.poll(() => log.error.mock.calls.length).toBe(1);
  expect(log.error.mock.calls.flat()).toEqual([expect.stringContaining('this one is not ready')]);
  expect(lock.isHeld()).toBe(false);
  await expect(record()).rejects.toThrow('lost its claim');
  await other.end();
  await expect.poll(() => log.info.mock.calls.length).toBe(1);
  // The other process's calls are still in the window.
  await expect(record()).rejects.toThrow('lost its claim');
  expect(await journal.listCallsSince(0)).toEqual([]);
  nowMs += otherClaimMs;
  await record();
  expect(await journal.listCallsSince(0)).toHaveLength(1);
});

async function countWaiting(): Promise<number> {
  const waiting = await query(
    `select pid from pg_locks join pg_database on pg_database.oid = database
     where locktype = 'advisory' and not granted and datname = current_database()`,
  );
  return waiting.length;
}

async function endLockConnections(): Promise<void> {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'rackhand-lock' and datname = current_database()`,
  );
}

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}
