import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Dialect, Kysely, SqliteDialect } from 'kysely';
import { type CheckpointThread, startCheckpointThread } from './checkpoint-thread.ts';
import { type Durability, makeDurable } from './durable-sqlite-driver.ts';
import { unusableFileError } from './sqlite-error.ts';
import { lockSqliteFile } from './sqlite-lock.ts';

const maxCachedStatements = 200;
/** Size of the write-ahead log, in pages, at which SQLite itself copies it into the file: 64 MB. */
const maxLogPages = 16_384;

interface OpenSqlite {
  readonly database: DatabaseSync;
  readonly release: () => void;
}

/**
 * Opens an SQLite file for reading and writing. Throws `database_claimed` if another process has it
 * open, and `setting_invalid` if it can't be used for another reason.
 */
export function createSqliteDialect(file: string): Dialect {
  const { database, release } = openFile(file);
  return makeDurable(createDialect(database, release), createWriteAheadLog(file));
}

/** A migrated database without rows. */
let migratedInMemory: Uint8Array | undefined;

/**
 * Opens an empty database in memory. `migrate` runs on the first one in a process. The others are
 * copies, because migrating takes 20 ms and copying less than 1 ms.
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
    // The first releases of Node.js 24 don't have this method.
    migratedInMemory = database.serialize?.();
  }
  return db;
}

function createDialect(database: DatabaseSync, onClose = () => {}): SqliteDialect {
  const prepare = cacheStatements(database);
  return new SqliteDialect({
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
    // A commit doesn't sync: `createWriteAheadLog` does. `BEGIN IMMEDIATE` shows now whether the file
    // can be written.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = ${maxLogPages}; PRAGMA journal_size_limit = ${keptLogBytes};
      BEGIN IMMEDIATE; COMMIT;`,
    );
    return { database, release };
  } catch (error) {
    release();
    throw unusableFileError(file, error);
  }
}

/**
 * Creates the file, or restricts its mode, so that only its owner can read it. SQLite creates the
 * files beside it with the same mode.
 */
function protectFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // An existing file isn't opened here, because closing it would end this process's SQLite locks on
  // it.
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}

interface PreparedStatement {
  readonly statement: StatementSync;
  /** Whether the statement returns rows. */
  readonly reader: boolean;
}

/**
 * Caches prepared statements, because SQLite's memory for a statement is freed only by garbage
 * collection, and because listing the columns of a statement can take longer than running it.
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

/** Returns the parameters unchanged. Binding throws if `node:sqlite` doesn't accept a value. */
function toSqlValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}

/** Number of writes after which the log is copied into the database file. Most of them are small. */
const checkpointWrites = 1000;
/**
 * Size in bytes to which the log's file is cut when the log starts again. A larger file has more than
 * that to copy.
 */
export const keptLogBytes = 16 * 1024 * 1024;

/**
 * Syncs the write-ahead log of an SQLite file, and copies it into the file, without blocking the
 * event loop. The copying runs in a thread that ends afterwards.
 */
function createWriteAheadLog(file: string): Durability {
  let opened: Promise<FileHandle> | undefined;
  let writes = 0;
  let isClosing = false;
  let copying: Promise<unknown> | undefined;
  /** Set when most of the log was copied. */
  let finishing: CheckpointThread | undefined;

  const sync = createGroupSync(async () => {
    opened ??= openLog(file);
    await (await opened).datasync();
  });

  const isLarge = () => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > keptLogBytes;

  /** Copies most of the log, while others write. */
  async function beginCopy(): Promise<void> {
    const thread = startCheckpointThread(file, keptLogBytes);
    try {
      await thread.copyLog();
      if (isClosing) await thread.end();
      else finishing = thread;
    } catch {
      // SQLite itself copies a log that gets too long.
      await thread.end();
    }
  }

  /** Copies the rest and restarts the log. No other write is allowed during this. */
  async function finishCopy(thread: CheckpointThread): Promise<void> {
    finishing = undefined;
    await thread.restartLog().catch(() => undefined);
    await thread.end();
  }

  return {
    sync,

    async written() {
      writes += 1;
      if (finishing) {
        await finishCopy(finishing);
        copying = undefined;
        writes = 0;
      } else if (writes >= checkpointWrites || isLarge()) {
        copying ??= beginCopy();
      }
    },

    async close() {
      isClosing = true;
      await copying;
      await finishing?.end();
      await (await opened)?.close();
    },
  };
}

/** Opens the log. Its directory entry has to survive a power failure too. */
async function openLog(file: string): Promise<FileHandle> {
  const directory = await open(dirname(file), 'r');
  await directory.sync().finally(() => directory.close());
  return open(`${file}-wal`, 'r+');
}

/**
 * Returns a function that resolves when everything written before the call is on the disk. Calls
 * that arrive while a sync runs share the next one.
 */
function createGroupSync(sync: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  return () => {
    if (next) return next;
    next = last.then(() => {
      next = undefined;
      return sync();
    });
    last = next.catch(() => undefined);
    return next;
  };
}
