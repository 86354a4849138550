import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Database, type OpenDatabase, openDatabase } from '../../src/storage/database.ts';

/** Starts a database of its own for a test file; `stop` ends it. */
export type StartDatabase = () => Promise<{ readonly url: string; stop(): Promise<void> }>;

/** Starts an SQLite that is gone when it is closed. */
export const startSqlite: StartDatabase = async () => ({ url: 'sqlite::memory:', async stop() {} });

/** Registers a database for a suite, in whose every test it begins with nothing in it; `db` is there from then on. */
export function stageDatabase(start: StartDatabase): { readonly db: Database } {
  let server: Awaited<ReturnType<StartDatabase>>;
  let database: OpenDatabase;

  beforeAll(async () => {
    server = await start();
    database = await openDatabase(server.url);
  });

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    const tables = await database.db.introspection.getTables();
    for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(database.db);
  });

  return {
    get db() {
      return database.db;
    },
  };
}
