import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { checkDatabase } from '../../scripts/doctor/check-database.ts';
import type { CheckLine } from '../../scripts/doctor/check-line.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresDatabase, startPostgres } from '../services/postgres.ts';

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

test('the check of an installation reads PostgreSQL without changing it', async () => {
  const server = await createPostgresDatabase();
  const check = async () => {
    const lines: CheckLine[] = [];
    for await (const line of checkDatabase(server.url)) lines.push(line);
    return lines.map(({ status, check, message }) => `${status} ${check}: ${message}`);
  };
  expect((await check())[0]).toMatch(/^warning database: .* applies \d+ migrations: back up first\.$/);
  const { db, close } = await openDatabase(server.url);
  expect(await check()).toEqual([
    expect.stringMatching(/^OK database: The schema is up to date/),
    expect.stringMatching(/^OK PostgreSQL: PostgreSQL \d+ answers\.$/),
    expect.stringMatching(/^OK quota/),
  ]);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(db);
  expect((await check())[0]).toMatch(/^error database: A newer version .*9999-future.*Start that version\.$/);
  await close();
  await server.stop();
  const [line, ...others] = await check();
  expect(line).toMatch(/^error database: The database can't be read \(3D000\)\. Check DATABASE_URL\.$/);
  expect(others).toEqual([]);
});
