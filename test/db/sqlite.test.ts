import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { unusableFileError } from '../../src/db/engines/sqlite-error.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

test('an SQLite file can be opened by one process at a time', async () => {
  const directory = makeScratchDirectory('sqlite');
  const url = `sqlite:${join(directory, 'rackhand.db')}`;
  const first = await openDatabase(url);
  await expect(openDatabase(url)).rejects.toMatchObject({
    code: 'database_claimed',
    message: expect.stringContaining('another process has it open'),
  });
  await first.close();
  await (await openDatabase(url)).close();
});

test('a write to an SQLite file is on the disk when it resolves', async () => {
  const directory = makeScratchDirectory('sqlite');
  const { db, close } = await openDatabase(`sqlite:${join(directory, 'rackhand.db')}`);
  const { rows } = await sql`pragma synchronous`.execute(db);
  // SQLite's number for FULL, with which each commit waits for the disk.
  expect(rows).toEqual([{ synchronous: 2 }]);
  await close();
});

test('a file that is not a database is called that', async () => {
  const directory = makeScratchDirectory('sqlite');
  const file = join(directory, 'rackhand.db');
  writeFileSync(file, 'hello '.repeat(1000));
  await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
    message: `The database file ${file} can't be used: it isn't an SQLite file.`,
  });
});

test('a file that this process cannot write is called read-only', () => {
  const directory = makeScratchDirectory('sqlite');
  const file = join(directory, 'rackhand.db');
  new DatabaseSync(file).close();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('create table row (id text)');
    expect.unreachable();
  } catch (error) {
    expect(unusableFileError(file, error).message).toContain('the file or its folder is read-only');
  } finally {
    database.close();
  }
});

test('only the owner can read an SQLite file, its folder and the files beside it', async () => {
  const directory = makeScratchDirectory('sqlite');
  const folder = join(directory, 'data');
  const file = join(folder, 'rackhand.db');
  const modesOf = (names: readonly string[]) =>
    names.map((name) => statSync(join(folder, name)).mode & 0o777);
  const first = await openDatabase(`sqlite:${file}`);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toContain('rackhand.db-wal');
  expect(new Set(modesOf(readdirSync(folder)))).toEqual(new Set([0o600]));
  await first.close();
  chmodSync(file, 0o644);
  await (await openDatabase(`sqlite:${file}`)).close();
  expect(modesOf(['rackhand.db'])).toEqual([0o600]);
});

test('every database in memory has the migrated schema, and only its own rows', async () => {
  const first = await openDatabase('sqlite::memory:');
  const second = await openDatabase('sqlite::memory:');
  await first.db
    .insertInto('suspended_workspace')
    .values({ team_id: 'T0ACME', reason: 'unpaid', suspended_at: 1 })
    .execute();
  const third = await openDatabase('sqlite::memory:');
  for (const { db } of [second, third]) {
    expect(await db.introspection.getTables()).toEqual(await first.db.introspection.getTables());
    expect(await db.selectFrom('suspended_workspace').selectAll().execute()).toEqual([]);
  }
  for (const { close } of [first, second, third]) await close();
});

test.each([
  [
    'postgres://me:hun/ter#2@127.0.0.1/db',
    "The database at DATABASE_URL can't be used (ERR_INVALID_URL). It isn't a valid URL. In a user name or password, write %40 for @, %2F for /, %23 for # and %3F for ?.",
  ],
  ['postgres://me:hunter2@127.0.0.1:1/db', "The database at DATABASE_URL can't be used (ECONNREFUSED)."],
  ['sqlite:/dev/null/x/rackhand.db', "The database at DATABASE_URL can't be used (ENOTDIR)."],
])('a database that cannot be used is named without its password: %s', async (url, message) => {
  await expect(openDatabase(url)).rejects.toMatchObject({ code: 'setting_invalid', message });
});
