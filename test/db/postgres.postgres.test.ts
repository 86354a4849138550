import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresDatabase, startPostgres } from '../services/postgres.ts';
import { describeDatabase } from './database-suite.ts';

describeDatabase('PostgreSQL', createPostgresDatabase);

test('replicas that start at once migrate the schema together', async () => {
  const server = await createPostgresDatabase();
  const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(server.url)));
  for (const { db } of databases) expect(await db.selectFrom('run').selectAll().execute()).toEqual([]);
  await Promise.all(databases.map((database) => database.close()));
  await server.stop();
});

test('a lost PostgreSQL connection is logged, and does not end the process', async () => {
  const server = await startPostgres();
  const warn = vi.fn();
  const { db, close } = await openDatabase(server.url, { log: { warn } });
  await db.selectFrom('run').selectAll().execute();
  await server.stop();
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0);
  await expect(db.selectFrom('run').selectAll().execute()).rejects.toThrow();
  await close();
});
