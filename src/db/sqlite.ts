import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';
import { RackhandError } from '../errors.ts';

const maxCachedStatements = 200;

/** Opens an SQLite file, or `:memory:`. Throws `setting_invalid` if another process has it open. */
export function createSqliteDialect(file: string): Dialect {
  if (file !== ':memory:') protectFile(file);
  const database = new DatabaseSync(file);
  try {
    // The exclusive lock ends with its process, so a crash doesn't leave it behind.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec('BEGIN IMMEDIATE; COMMIT;');
  } catch (error) {
    database.close();
    throw new RackhandError(
      'setting_invalid',
      `The database file ${file} can't be used: another Rackhand process has it open, or it isn't an SQLite file.`,
      { cause: error },
    );
  }
  const prepare = cacheStatements(database);
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...toSqlValues(parameters)),
          run: (parameters) => statement.run(...toSqlValues(parameters)),
          iterate: (parameters) => statement.iterate(...toSqlValues(parameters)),
        };
      },
    },
  });
}

/**
 * Creates the file, or restricts its mode, so that only its owner can read it. SQLite gives the
 * files beside it the same mode.
 */
function protectFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // An existing file isn't opened here, because closing it would end this process's SQLite locks on
  // it.
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}

/**
 * Caches prepared statements, because SQLite's memory for a statement is freed only by garbage
 * collection.
 */
function cacheStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const cached = new Map<string, StatementSync>();
  return (sql) => {
    const statement = cached.get(sql) ?? database.prepare(sql);
    if (cached.size < maxCachedStatements) cached.set(sql, statement);
    return statement;
  };
}

/** Returns the parameters unchanged. Binding throws if `node:sqlite` doesn't accept a value. */
function toSqlValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
