import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { unusableFileError } from './sqlite-error.ts';
import { lockSqliteFile } from './sqlite-lock.ts';

const maxCachedStatements = 200;
/** Size (bytes) to which SQLite truncates the write-ahead log whenever the log restarts. */
const keptLogBytes = 16 * 1024 * 1024;

interface OpenSqlite {
  readonly database: DatabaseSync;
  readonly release: () => void;
}

/**
 * Opens an SQLite file for reading and writing. Throws `database_claimed` if another process has the file
 * open, and `setting_invalid` if the file can't be used for another reason.
 */
export function createSqliteDialect(file: string): Dialect {
  const { database, release } = openFile(file);
  return createDialect(database, release);
}

/** A serialized copy of a database that has been migrated and has no rows. */
let migratedInMemory: Uint8Array | undefined;

/**
 * Opens an empty in-memory database. Only the first such database in a process is migrated. Later ones are
 * copies of it, because migrating takes 20 ms and copying less than 1 ms.
 */
export async function openInMemory<Schema>(
  migrate: (db: Kysely<Schema>) => Promise<void>,
): Promise<Kysely<Schema>> {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Schema>({ dialect: createDialect(database) });
  if (migratedInMemory) {
    database.deserialize(migratedInMemory);
  } else {
    await migrate(db);
    // Early releases of Node.js 24 lack this method.
    migratedInMemory = database.serialize?.();
  }
  return db;
}

class TransactionalAdapter extends SqliteAdapter {
  /** Makes Kysely migrate in one transaction, so that an interrupted migration leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TolerantDriver extends SqliteDriver {
  /**
   * Ignores the error that no transaction is active. If the disk is full or broken, SQLite rolls back by
   * itself, and the error from this second rollback mustn't hide the cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

class TransactionalDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): SqliteDriver {
    return new TolerantDriver(this.#config);
  }
}

function createDialect(database: DatabaseSync, onClose = () => {}): SqliteDialect {
  const prepare = cacheStatements(database);
  return new TransactionalDialect({
    database: {
      close() {
        database.close();
        onClose();
      },
      prepare(sql) {
        const { statement, reader } = prepare(sql);
        return {
          reader,
          all: (parameters) => statement.all(...toSqlValues(parameters)),
          run: (parameters) => statement.run(...toSqlValues(parameters)),
          iterate: (parameters) => statement.iterate(...toSqlValues(parameters)),
        };
      },
    },
  });
}

function openFile(file: string): OpenSqlite {
  protectFile(file);
  const release = lockSqliteFile(file);
  try {
    const database = new DatabaseSync(file);
    // `BEGIN IMMEDIATE` makes opening fail if the file can't be written to.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${keptLogBytes};
      BEGIN IMMEDIATE; COMMIT;`,
    );
    return { database, release };
  } catch (error) {
    release();
    throw unusableFileError(file, error);
  }
}

/**
 * Makes sure that only the file's owner can read it: creates the file, or restricts the mode of an
 * existing one. SQLite creates the files beside it with the same mode.
 */
function protectFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Only a missing file is opened here, because closing an existing one would release this process's
  // SQLite locks on it.
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly reader: boolean;
}

/**
 * Caches prepared statements. Only garbage collection frees a statement's memory, and listing a
 * statement's columns can take longer than running it.
 */
function cacheStatements(database: DatabaseSync): (sql: string) => PreparedStatement {
  const cached = new Map<string, PreparedStatement>();
  return (sql) => {
    const known = cached.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, reader: statement.columns().length > 0 };
    if (cached.size < maxCachedStatements) cached.set(sql, prepared);
    return prepared;
  };
}

/** Returns the parameters without checking them. Binding a value throws if `node:sqlite` doesn't accept it. */
function toSqlValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
