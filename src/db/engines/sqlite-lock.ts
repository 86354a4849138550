import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { unusableFileError } from './sqlite-error.ts';

/** Returns the path of the empty lock file beside a database file. */
export const lockFileOf = (file: string): string => `${file}.lock`;

/**
 * Takes the write lock on an SQLite file, and returns a function that releases the lock. If the process
 * dies, the operating system releases it. Other processes can still read the file, for example for a
 * backup. Throws `database_claimed` if another process holds the lock.
 */
export function lockSqliteFile(file: string): () => void {
  const path = lockFileOf(file);
  // Only a missing lock file is opened here, because closing an existing one would release this process's
  // lock.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw unusableFileError(file, error);
  }
  return () => lock.close();
}
