import { Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: Database;
  /** Whether other processes may work on the same rows. */
  readonly shared: boolean;
  close(): Promise<void>;
}

const sqlitePrefix = 'sqlite:';

/**
 * Opens the database of a `DATABASE_URL` (`sqlite:FILE`, `sqlite::memory:` or `postgres://…`) and brings its schema up to date. Throws `setting_invalid`
 * where it cannot be used.
 */
export async function openDatabase(
  url: string,
  { log }: { readonly log?: Pick<Logger, 'warn'> } = {},
): Promise<OpenDatabase> {
  const shared = !url.startsWith(sqlitePrefix);
  try {
    // Only the driver in use is loaded.
    const dialect = shared
      ? (await import('./postgres.ts')).createPostgresDialect(url, (error) =>
          log?.warn({ err: error }, 'a connection to PostgreSQL broke while it was not in use'),
        )
      : (await import('./sqlite.ts')).createSqliteDialect(url.slice(sqlitePrefix.length));
    const db = new Kysely<Schema>({ dialect });
    await migrate(db).catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
    return { db, shared, close: () => db.destroy() };
  } catch (cause) {
    if (cause instanceof RackhandError) throw cause;
    // Not the message: a driver's could repeat the URL, and with it a password.
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new RackhandError('setting_invalid', `The database of DATABASE_URL cannot be used${code}.`, {
      cause,
    });
  }
}

/** Tells whether a database answers; throws where it does not. */
export async function isReachable(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}
