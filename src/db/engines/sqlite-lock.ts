import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { unusableFileError } from './sqlite-error.ts';

/** The empty lock file beside a database file. */
export const lockFileOf = (file: string): string => `${file}.lock`;

/**
 * Takes the write lock on an SQLite file, and returns a function that releases it. The operating system
 * releases it if the process dies. Other processes can still read the file, for example for a backup. Throws
 * `database_claimed` if another process holds the lock.
 */
export function lockSqliteFile(file: string): () => void {
  const path = lockFileOf(file);
  // An existing lock file isn't opened here, because closing it would release this process's lock.
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
