import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Dialect, SqliteDialect } from 'kysely';
import { RackhandError } from '../error.ts';

const mostKeptStatements = 200;

/** Opens an SQLite file, or `:memory:`, for this process alone. Throws `setting_invalid` when another process holds it. */
export function createSqliteDialect(file: string): Dialect {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    // An exclusive lock ends with the process that holds it, so nothing is left behind by a crash.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec('BEGIN IMMEDIATE; COMMIT;');
  } catch (error) {
    database.close();
    throw new RackhandError(
      'setting_invalid',
      `The database file ${file} cannot be used: another Rackhand process has it open, or it is not an SQLite file.`,
      { cause: error },
    );
  }
  const prepare = keepStatements(database);
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...asValues(parameters)),
          run: (parameters) => statement.run(...asValues(parameters)),
          iterate: (parameters) => statement.iterate(...asValues(parameters)),
        };
      },
    },
  });
}

/** Keeps the statements of the few queries that come again and again: SQLite's memory for them is freed only by a garbage collection. */
function keepStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const kept = new Map<string, StatementSync>();
  return (sql) => {
    const statement = kept.get(sql) ?? database.prepare(sql);
    if (kept.size < mostKeptStatements) kept.set(sql, statement);
    return statement;
  };
}

/** Narrows to what node:sqlite binds; it throws by itself at anything else. */
function asValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
