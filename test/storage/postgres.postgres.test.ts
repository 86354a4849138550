import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { startPostgres } from '../services/postgres.ts';
import { describeStorage } from './suite.ts';

describeStorage('PostgreSQL', startPostgres);

test('replicas that start at once bring the schema up to date together', async () => {
  const server = await startPostgres();
  const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(server.url)));
  for (const { db } of databases) expect(await db.selectFrom('run').selectAll().execute()).toEqual([]);
  await Promise.all(databases.map((database) => database.close()));
  await server.stop();
});

test('a PostgreSQL that goes away is logged, and does not end the process', async () => {
  const server = await startPostgres();
  const warn = vi.fn();
  const { db, close } = await openDatabase(server.url, { log: { warn } });
  await server.stop();
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0);
  await expect(db.selectFrom('run').selectAll().execute()).rejects.toThrow();
  await close();
});
