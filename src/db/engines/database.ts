import { existsSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema/schema.ts';
import type { PoolCounts } from './postgres.ts';
import { isSqliteError, unusableFileError } from './sqlite-error.ts';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: Database;
  /** Whether several processes can use the database at the same time. */
  readonly hasReplicas: boolean;
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly log?: Pick<Logger, 'warn'>;
  /** Called for each failed query, except in an in-memory database. */
  readonly onQueryError?: () => void;
  /** Called with a function that counts the connections to PostgreSQL. */
  readonly onPool?: (count: () => PoolCounts) => void;
  /** Whether a missing SQLite file is an error. By default, the file is created. */
  readonly mustExist?: boolean;
  /** What messages call the URL. Defaults to DATABASE_URL. */
  readonly urlName?: string;
}

const sqlitePrefix = 'sqlite:';

/**
 * Opens the database at a `DATABASE_URL` (`sqlite:FILE`, `sqlite::memory:` or `postgres://…`) and migrates
 * its schema. Throws `setting_invalid` if the database can't be used, and `database_claimed` if another
 * process has the file open.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  const file = sqliteFileOf(url);
  const hasReplicas = file === undefined;
  try {
    const db = hasReplicas ? await openPostgres(url, options) : await openSqlite(file, options);
    return { db, hasReplicas, close: () => db.destroy() };
  } catch (error) {
    throw toUnusableError(error, options.urlName);
  }
}

/** Creates the error for a database that can't be used. */
export function toUnusableError(error: unknown, urlName = 'DATABASE_URL'): RackhandError {
  if (error instanceof RackhandError && error.code !== 'database_unreachable') return error;
  const cause = error instanceof RackhandError ? error.cause : error;
  // The driver's message could contain the URL, including its password.
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
  const hint =
    code === ' (ERR_INVALID_URL)'
      ? " It isn't a valid URL. In a user name or password, write %40 for @, %2F for /, %23 for # and %3F for ?."
      : '';
  return new RackhandError('setting_invalid', `The database at ${urlName} can't be used${code}.${hint}`, {
    cause,
  });
}

// Only the driver that is in use is loaded.

async function openSqlite(
  file: string,
  { onQueryError, mustExist, urlName = 'DATABASE_URL' }: DatabaseOptions,
): Promise<Database> {
  if (mustExist && file !== ':memory:' && !existsSync(file)) {
    throw new RackhandError('setting_invalid', `There is no database file ${file}. Check ${urlName}.`);
  }
  const { createSqliteDialect, openInMemory } = await import('./sqlite.ts');
  if (file === ':memory:') return openInMemory(migrateOrClose);
  let isMigrated = false;
  const db = new Kysely<Schema>({
    dialect: createSqliteDialect(file),
    // In a new database, the query for the migration table fails, which isn't counted as an error.
    log: countErrors(() => isMigrated && onQueryError?.()),
  });
  await migrateOrClose(db).catch((error: unknown) => {
    throw isSqliteError(error) ? unusableFileError(file, error) : error;
  });
  isMigrated = true;
  return db;
}

async function openPostgres(url: string, { log, onQueryError, onPool }: DatabaseOptions): Promise<Database> {
  const { createPostgresDialect } = await import('./postgres.ts');
  // Migrates without time limits, because a migration can take long or wait for another replica's
  // migration.
  const migrating = new Kysely<Schema>({ dialect: createPostgresDialect(url, { timeouts: 'none' }) });
  await migrateOrClose(migrating);
  await migrating.destroy();
  const onIdleError = (error: Error) =>
    log?.warn({ reason: error.message }, 'an idle connection to PostgreSQL was lost');
  return new Kysely<Schema>({
    dialect: createPostgresDialect(url, { onIdleError, ...(onPool && { onPool }) }),
    log: countErrors(onQueryError),
  });
}

function countErrors(onQueryError: (() => unknown) | undefined) {
  return ({ level }: { readonly level: string }) => {
    if (level === 'error') onQueryError?.();
  };
}

async function migrateOrClose(db: Database): Promise<void> {
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Returns the file in a `sqlite:FILE` URL, or undefined for other URLs. */
export function sqliteFileOf(url: string): string | undefined {
  return url.startsWith(sqlitePrefix) ? url.slice(sqlitePrefix.length) : undefined;
}

/** SQLite result codes that mean that the disk is full, read-only or broken. https://sqlite.org/rescode.html */
const sqliteAwayCodes: readonly number[] = [8, 10, 13];

/** Returns whether a query failed because the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof RackhandError) return error.code === 'database_unreachable';
  return (
    error instanceof Error && 'errcode' in error && sqliteAwayCodes.includes(Number(error.errcode) & 0xff)
  );
}

/** Resolves to true if the database answers, and rejects otherwise. */
export async function pingDatabase(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}
