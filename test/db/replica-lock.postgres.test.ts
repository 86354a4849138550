import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acquireReplicaLock, replicaLockId } from '../../src/db/engines/replica-lock.ts';
import { createPostgresDatabase } from '../services/postgres.ts';

let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
const log = { error: vi.fn(), info: vi.fn() };

beforeAll(async () => {
  server = await createPostgresDatabase();
});
afterAll(() => server.stop());

const acquire = (isShared: boolean, waitMs = 0) => acquireReplicaLock(server.url, { isShared, log, waitMs });

test('one process without Redis excludes every other, until it ends', async () => {
  const first = await acquire(false);
  await expect(acquire(false)).rejects.toMatchObject({
    code: 'setting_invalid',
    message: expect.stringContaining('set REDIS_URL for both'),
  });
  await expect(acquire(true)).rejects.toMatchObject({
    message: expect.stringContaining('A Rackhand process without REDIS_URL uses this database'),
  });
  const waiting = acquire(false, 30_000);
  await first.release();
  const second = await waiting;
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  await second.release();
});

test('processes with Redis share the database', async () => {
  const locks = await Promise.all([acquire(true), acquire(true), acquire(true)]);
  await expect(acquire(false)).rejects.toMatchObject({ code: 'setting_invalid' });
  await Promise.all(locks.map((lock) => lock.release()));
});

test('a lost connection takes the lock again', async () => {
  const lock = await acquire(false);
  log.info.mockClear();
  await endLockConnections();
  await expect.poll(() => log.info.mock.calls.length).toBe(1);
  expect(lock.isHeld()).toBe(true);
  await lock.release();
});

test('a process whose lock went to another one says so once, and takes it back when it can', async () => {
  const lock = await acquire(false);
  const other = new pg.Client(server.url);
  await other.connect();
  const got = other.query('select pg_advisory_lock($1)', [replicaLockId]);
  await endLockConnections();
  await got;
  await expect.poll(() => log.error.mock.calls.length).toBe(1);
  expect(log.error.mock.calls.flat()).toEqual([expect.stringContaining('this one is not ready')]);
  expect(lock.isHeld()).toBe(false);
  await other.end();
  await expect.poll(lock.isHeld).toBe(true);
  await lock.release();
});

async function endLockConnections(): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'rackhand-lock' and datname = current_database()`,
  );
  await client.end();
}
