import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { sqliteFileOf } from '../../src/db/engines/database.ts';
import { createPostgresDialect } from '../../src/db/engines/postgres.ts';
import { migrations } from '../../src/db/migrate.ts';
import { defaultQuotaLimit } from '../../src/hosting/quota/rate-limiter.ts';
import { type CheckLine, createLines } from './check-line.ts';

const { ok, warning, error } = createLines('database');

/** Reads the schema version. Unlike a start, this migrates nothing and claims nothing. */
export async function* checkDatabase(url: string): AsyncGenerator<CheckLine> {
  const file = sqliteFileOf(url);
  if (file === ':memory:') yield warning('The database is in memory. A stop loses all data.');
  else if (file !== undefined && !existsSync(file))
    yield warning(`${file} does not exist yet. The first start creates it.`);
  else {
    try {
      yield* file === undefined ? await readPostgres(url) : await readSqlite(file);
    } catch (failure) {
      // The driver's message could contain the URL, including its password.
      const code = failure instanceof Error && 'code' in failure ? ` (${failure.code})` : '';
      yield error(`The database can't be read${code}. Check DATABASE_URL.`);
    }
  }
}

type Query = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

async function readSqlite(file: string): Promise<readonly CheckLine[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return await describeData(async (text) => db.prepare(text).all(), 'sqlite_master where name');
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<readonly CheckLine[]> {
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(url) });
  const query: Query = async (text) =>
    (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  try {
    const [row] = await query('show server_version_num');
    const [schema, ...more] = await describeData(query, 'information_schema.tables where table_name');
    return [schema, describeVersion(Number(row?.server_version_num)), ...more];
  } finally {
    await db.destroy();
  }
}

/** Describes the schema and the quotas. `tablesNamed` is where the database lists its tables. */
async function describeData(query: Query, tablesNamed: string): Promise<[CheckLine, CheckLine]> {
  const hasTable = await query(`select 1 from ${tablesNamed} = '${DEFAULT_MIGRATION_TABLE}'`);
  if (hasTable.length === 0) return [describeSchema([]), describeQuotas([])];
  const applied = await query(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`);
  const keys = await query('select quota from api_key');
  return [
    describeSchema(applied.map(({ name }) => String(name))),
    describeQuotas(keys.map(({ quota }) => Number(quota))),
  ];
}

function describeSchema(applied: readonly string[]): CheckLine {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0)
    return error(
      `A newer version of Rackhand has changed the database (${unknown.join(', ')}). Start that version.`,
    );
  const pending = Object.keys(migrations).length - applied.length;
  const version = applied.at(-1) ?? 'none';
  return pending === 0
    ? ok(`The schema is up to date (${version}).`)
    : warning(`The schema is at ${version}. The next start applies ${pending} migrations: back up first.`);
}

/** The oldest version of PostgreSQL that docs/operate.md allows, as `server_version_num`. */
const minPostgresVersion = 130_000;

function describeVersion(version: number): CheckLine {
  const { ok, error } = createLines('PostgreSQL');
  const name = `PostgreSQL ${Math.floor(version / 10_000)}`;
  return version < minPostgresVersion
    ? error(`${name} is too old. Use version 13 or later.`)
    : ok(`${name} answers.`);
}

/** Describes the quotas of the connected keys. The API document allows 50 calls a minute. */
function describeQuotas(quotas: readonly number[]): CheckLine {
  const { ok, warning } = createLines('quota');
  const above = quotas.filter((quota) => quota > defaultQuotaLimit).length;
  return above > 0
    ? warning(
        `${above} of ${quotas.length} workspaces have a quota above ${defaultQuotaLimit} calls a minute, which the API document allows. Check them with the hosting company.`,
      )
    : ok(`${quotas.length} connected keys, at most ${defaultQuotaLimit} calls a minute each.`);
}
