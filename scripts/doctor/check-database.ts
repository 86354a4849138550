import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { sqliteFileOf } from '../../src/db/engines/database.ts';
import { createPostgresDialect } from '../../src/db/engines/postgres.ts';
import { migrations } from '../../src/db/migrate.ts';
import type { CheckLine } from './check-line.ts';

const check = 'database';

/** Reads the schema version. Unlike a start, this migrates nothing and claims nothing. */
export async function checkDatabase(url: string): Promise<CheckLine> {
  const file = sqliteFileOf(url);
  if (file === ':memory:') {
    return { check, status: 'warning', message: 'The database is in memory. A stop loses all data.' };
  }
  if (file !== undefined && !existsSync(file)) {
    return { check, status: 'warning', message: `${file} does not exist yet. The first start creates it.` };
  }
  try {
    return describe(file === undefined ? await readPostgres(url) : readSqlite(file));
  } catch (error) {
    // The driver's message could contain the URL, including its password.
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return { check, status: 'error', message: `The database can't be read${code}. Check DATABASE_URL.` };
  }
}

function describe(applied: readonly string[]): CheckLine {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    return {
      check,
      status: 'error',
      message: `A newer version of Rackhand has changed the database (${unknown.join(', ')}). Start that version.`,
    };
  }
  const pending = Object.keys(migrations).length - applied.length;
  const version = applied.at(-1) ?? 'none';
  return pending === 0
    ? { check, status: 'OK', message: `The schema is up to date (${version}).` }
    : {
        check,
        status: 'warning',
        message: `The schema is at ${version}. The next start applies ${pending} migrations: back up first.`,
      };
}

function readSqlite(file: string): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const hasTable = db.prepare('select 1 from sqlite_master where name = ?').get(DEFAULT_MIGRATION_TABLE);
    if (!hasTable) return [];
    const rows = db.prepare(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`).all();
    return rows.map(({ name }) => String(name));
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<readonly string[]> {
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(url) });
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
    `.execute(db);
    return rows.map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}
