import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backUp, restore } from '../../../src/db/backup/backup.ts';
import { digestTables } from '../../../src/db/backup/copy-store.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { seedEveryTable } from './seed-store.ts';

const directory = makeScratchDirectory('backup');
const newFile = () => join(directory, `${randomUUID()}.db`);

afterAll(() => rmSync(directory, { recursive: true }));

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
