import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, migrateStore, restore } from '../../../src/db/backup/backup.ts';
import { digestTables } from '../../../src/db/backup/copy-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createPostgresDatabase } from '../../services/postgres.ts';
import { seedEveryTable } from './seed-store.ts';

const directory = makeScratchDirectory('backup-postgres');
const newFile = () => join(directory, `${randomUUID()}.db`);

afterAll(() => rmSync(directory, { recursive: true }));

describe('a PostgreSQL database', () => {
  let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let database: OpenDatabase;

  beforeAll(async () => {
    server = await createPostgresDatabase();
    database = await openDatabase(server.url);
    await seedEveryTable(database.db, 7);
  });

  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  test('is backed up while it is in use, and restored to SQLite and to PostgreSQL', async () => {
    const expected = await digestTables(database.db);
    expect(expected.every(({ rows }) => rows === 7)).toBe(true);
    const file = newFile();
    expect(await backUp(server.url, file)).toEqual(expected);
    expect(await restore(file, `sqlite:${newFile()}`)).toEqual(expected);
    const other = await createPostgresDatabase();
    expect(await restore(file, other.url)).toEqual(expected);
    await other.stop();
  });

  test('moves to SQLite and back with the same digests', async () => {
    const expected = await digestTables(database.db);
    const url = `sqlite:${newFile()}`;
    expect(await migrateStore(server.url, url)).toEqual(expected);
    const other = await createPostgresDatabase();
    expect(await migrateStore(url, other.url)).toEqual(expected);
    await other.stop();
  });
});
