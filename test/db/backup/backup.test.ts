import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, migrateStore, restore } from '../../../src/db/backup/backup.ts';
import { digestTables } from '../../../src/db/backup/copy-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createPostgresDatabase } from '../../services/postgres.ts';
import { seedEveryTable } from './seed-store.ts';

const directory = makeScratchDirectory('backup');
const newFile = () => join(directory, `${randomUUID()}.db`);

test('an SQLite file is backed up while it is open for writing, and restored', async () => {
  const file = newFile();
  const { db, close } = await openDatabase(`sqlite:${file}`);
  await seedEveryTable(db, 7);
  const expected = await digestTables(db);
  const target = newFile();
  expect(await backUp(`sqlite:${file}`, target)).toEqual(expected);
  expect(statSync(target).mode & 0o777).toBe(0o600);

  // What is written afterwards isn't in the backup.
  await db.deleteFrom('run').execute();
  await close();
  expect(await restore(target, `sqlite:${newFile()}`)).toEqual(expected);
});

test('a backup never replaces a file, and leaves no part of one behind', async () => {
  const file = newFile();
  const { close } = await openDatabase(`sqlite:${file}`);
  const target = newFile();
  writeFileSync(target, 'mine');
  await expect(backUp(`sqlite:${file}`, target)).rejects.toMatchObject({ code: 'input_invalid' });
  await close();
  const missing = newFile();
  await expect(backUp(`sqlite:${missing}`, newFile())).rejects.toMatchObject({ code: 'input_invalid' });
  expect(existsSync(missing)).toBe(false);
  expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a file that is not a backup is not restored', async () => {
  const file = newFile();
  writeFileSync(file, 'hello '.repeat(1000));
  await expect(restore(file, `sqlite:${newFile()}`)).rejects.toMatchObject({
    code: 'input_invalid',
    message: expect.stringContaining("it isn't an SQLite file"),
  });
});

test('a database that is in use is not a target of a restore', async () => {
  const file = newFile();
  const { close } = await openDatabase(`sqlite:${file}`);
  const target = newFile();
  await backUp(`sqlite:${file}`, target);
  await expect(restore(target, `sqlite:${file}`)).rejects.toMatchObject({ code: 'database_claimed' });
  await close();
});

describe('a database in PostgreSQL', () => {
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
