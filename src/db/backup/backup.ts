import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup as copySqlite, DatabaseSync } from 'node:sqlite';
import { RackhandError } from '../../errors.ts';
import { type OpenDatabase, openDatabase, sqliteFileOf } from '../engines/database.ts';
import { describeSqliteError } from '../engines/sqlite-error.ts';
import { lockFileOf } from '../engines/sqlite-lock.ts';
import { copyStore, digestTables, type TableDigest } from './copy-store.ts';

/**
 * Backs up the database at a `DATABASE_URL` to a new SQLite file, even while Rackhand is running, and
 * checks the file by reading it back. Returns a digest of each table. Secrets stay encrypted with the same
 * ENCRYPTION_KEYS. Throws `input_invalid` if the file already exists. If the backup fails, no file is left
 * behind.
 */
export async function backUp(databaseUrl: string, file: string): Promise<readonly TableDigest[]> {
  if (existsSync(file)) throw new RackhandError('input_invalid', `${file} already exists.`);
  return writeWhole(file, async (partFile) => {
    const source = sqliteFileOf(databaseUrl);
    if (source === undefined) return copyDatabase(databaseUrl, `sqlite:${partFile}`);
    await copyOnline(source, partFile);
    return withDatabase(`sqlite:${partFile}`, ({ db }) => digestTables(db));
  });
}

/**
 * Restores a backup into the empty database at a `DATABASE_URL`. Returns a digest of each table. Data from
 * an older version is migrated, but the backup file itself isn't changed.
 */
export async function restore(file: string, databaseUrl: string): Promise<readonly TableDigest[]> {
  const copy = join(dirname(file), `.${basename(file)}.${process.pid}`);
  return removeAfter(copy, async () => {
    await copyOnline(file, copy);
    return copyDatabase(`sqlite:${copy}`, databaseUrl);
  });
}

/**
 * Copies everything from one database to an empty one. Returns a digest of each table. Error messages call
 * the databases FROM and TO.
 */
export function migrateStore(fromUrl: string, toUrl: string): Promise<readonly TableDigest[]> {
  return copyDatabase(fromUrl, toUrl, 'FROM', 'TO');
}

async function copyDatabase(
  fromUrl: string,
  toUrl: string,
  fromName?: string,
  toName?: string,
): Promise<readonly TableDigest[]> {
  const copyTo = (from: OpenDatabase) => withDatabase(toUrl, (to) => copyStore(from, to), toName);
  return withDatabase(fromUrl, copyTo, fromName, true);
}

/** Copies an SQLite file, even if another process is writing to it, and checks the pages of the copy. */
async function copyOnline(from: string, to: string): Promise<void> {
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await copySqlite(source, to);
    } finally {
      source.close();
    }
    const copy = new DatabaseSync(to);
    try {
      const row = copy.prepare('PRAGMA integrity_check').get();
      if (row?.integrity_check !== 'ok') throw new Error(String(row?.integrity_check));
    } finally {
      copy.close();
    }
  } catch (error) {
    throw new RackhandError(
      'input_invalid',
      `${from} can't be copied to the folder ${dirname(to)}: ${describeSqliteError(error)}.`,
      {
        cause: error,
      },
    );
  }
}

/** Writes to a temporary file and then renames it, so that a file with the final name is always complete. */
async function writeWhole<Result>(
  file: string,
  write: (partFile: string) => Promise<Result>,
): Promise<Result> {
  const partFile = join(dirname(file), `.${basename(file)}.${process.pid}`);
  await createFolder(dirname(file));
  return removeAfter(partFile, async () => {
    const result = await write(partFile);
    await chmod(partFile, 0o600);
    await rename(partFile, file);
    return result;
  });
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new RackhandError('input_invalid', `The folder ${folder} can't be created${code}.`, { cause });
  }
}

/** Runs `work`, then deletes an SQLite file and the files beside it, even if the work failed. */
async function removeAfter<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    for (const path of [file, `${file}-wal`, `${file}-shm`, lockFileOf(file)])
      await rm(path, { force: true });
  }
}

async function withDatabase<Result>(
  url: string,
  work: (database: OpenDatabase) => Promise<Result>,
  urlName = 'DATABASE_URL',
  mustExist = false,
): Promise<Result> {
  const database = await openDatabase(url, { urlName, mustExist });
  return work(database).finally(database.close);
}
