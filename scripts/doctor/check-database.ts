import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { sqliteFileOf } from '../../src/db/engines/database.ts';
import { createPostgresDialect } from '../../src/db/engines/postgres.ts';
import { migrations } from '../../src/db/migrate.ts';
import { defaultQuotaLimit } from '../../src/hosting/quota/rate-limiter.ts';
import type { CheckLine } from './check-line.ts';

const check = 'database';

/** Reads the schema version. Unlike a start, this migrates nothing and claims nothing. */
export async function* checkDatabase(url: string): AsyncGenerator<CheckLine> {
  const file = sqliteFileOf(url);
  if (file === ':memory:') {
    yield { check, status: 'warning', message: 'The database is in memory. A stop loses all data.' };
    return;
  }
  if (file !== undefined && !existsSync(file)) {
    yield { check, status: 'warning', message: `${file} does not exist yet. The first start creates it.` };
    return;
  }
  try {
    const { applied, quotas, version } = file === undefined ? await readPostgres(url) : readSqlite(file);
    yield describe(applied);
    if (version !== undefined) yield describeVersion(version);
    yield describeQuotas(quotas);
  } catch (error) {
    // The driver's message could contain the URL, including its password.
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    yield { check, status: 'error', message: `The database can't be read${code}. Check DATABASE_URL.` };
  }
}

/** The oldest version of PostgreSQL that docs/operate.md allows, as `server_version_num`. */
const minPostgresVersion = 130_000;

function describeVersion(version: number): CheckLine {
  const name = `PostgreSQL ${Math.floor(version / 10_000)}`;
  return version < minPostgresVersion
    ? { check: 'PostgreSQL', status: 'error', message: `${name} is too old. Use version 13 or later.` }
    : { check: 'PostgreSQL', status: 'OK', message: `${name} answers.` };
}

/** Describes the quotas of the connected keys. The API document allows 50 calls a minute. */
function describeQuotas(quotas: readonly number[]): CheckLine {
  const check = 'quota';
  const above = quotas.filter((quota) => quota > defaultQuotaLimit).length;
  if (above > 0) {
    return {
      check,
      status: 'warning',
      message: `${above} of ${quotas.length} workspaces have a quota above ${defaultQuotaLimit} calls a minute, which the API document allows. Check them with the hosting company.`,
    };
  }
  return {
    check,
    status: 'OK',
    message: `${quotas.length} connected keys, at most ${defaultQuotaLimit} calls a minute each.`,
  };
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

/** The facts about a database that the checks need. */
interface DatabaseFacts {
  readonly applied: readonly string[];
  /** The quota of each workspace's key. */
  readonly quotas: readonly number[];
  /** PostgreSQL's `server_version_num`. */
  readonly version?: number;
}

function readSqlite(file: string): DatabaseFacts {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const hasTable = db.prepare('select 1 from sqlite_master where name = ?').get(DEFAULT_MIGRATION_TABLE);
    if (!hasTable) return { applied: [], quotas: [] };
    const rows = db.prepare(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`).all();
    const keys = db.prepare('select quota from api_key').all();
    return { applied: rows.map(({ name }) => String(name)), quotas: keys.map(({ quota }) => Number(quota)) };
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<DatabaseFacts> {
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(url) });
  try {
    const { rows: versions } = await sql<{ version: number }>`
      select current_setting('server_version_num')::int as version
    `.execute(db);
    const version = versions[0]?.version ?? 0;
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE))
      return { applied: [], quotas: [], version };
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
    `.execute(db);
    const { rows: keys } = await sql<{ quota: number }>`select quota from api_key`.execute(db);
    return { applied: rows.map(({ name }) => name), quotas: keys.map(({ quota }) => quota), version };
  } finally {
    await db.destroy();
  }
}
