import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Database, type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresDatabase } from '../services/postgres.ts';

/** Starts a database for a test file. `stop` deletes it. */
type StartDatabase = () => Promise<{ readonly url: string; stop(): Promise<void> }>;

/** Starts an in-memory SQLite database. */
export const startSqlite: StartDatabase = async () => ({ url: 'sqlite::memory:', async stop() {} });

/** For suites that are the same for every database. `npm run test:unit` leaves out those named `in PostgreSQL`. */
export const databases = [
  { name: 'SQLite', start: startSqlite },
  { name: 'PostgreSQL', start: createPostgresDatabase },
] as const;

export interface TestDatabase {
  readonly db: Database;
}

/** Registers a database for a suite. It is emptied before each test. */
export function useTestDatabase(start: StartDatabase): TestDatabase {
  let server: Awaited<ReturnType<StartDatabase>>;
  let database: OpenDatabase;
  let tables: readonly string[];

  beforeAll(async () => {
    server = await start();
    database = await openDatabase(server.url);
    tables = (await database.db.introspection.getTables()).map(({ name }) => name);
  });

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    if (server.url.startsWith('postgres:')) {
      const statements = tables.map((name) => `delete from "${name}";`).join(' ');
      await sql.raw(`do $$ begin ${statements} end $$`).execute(database.db);
    } else {
      for (const name of tables) await sql`delete from ${sql.table(name)}`.execute(database.db);
    }
  });

  return {
    get db() {
      return database.db;
    },
  };
}
