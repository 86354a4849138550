import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { migrations } from '../../src/db/migrate.ts';

const names = Object.keys(migrations);

test('migrations are numbered from 0001 without a gap, so the next number always sorts last', () => {
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+$/.test(name))).toEqual([]);
  const next = `${String(names.length + 1).padStart(4, '0')}_next`;
  expect([...names, next].sort().at(-1)).toBe(next);
});

test('every file in the migrations folder is listed under its own name', () => {
  const files = readdirSync(new URL('../../src/db/migrations', import.meta.url));
  expect(files.map((file) => basename(file, '.ts').replaceAll('-', '_')).sort()).toEqual([...names].sort());
});

test('migrations only add, so that the version before still works beside this one and after a rollback', async () => {
  expect(await findContractions(migrations)).toEqual([]);
});

test('a migration that removes or requires something is noticed', async () => {
  const later: Migration = {
    async up(db) {
      await db.schema.alterTable('plan').dropColumn('skipped_by').execute();
      await db.schema.dropTable('past_alert').execute();
      await sql`create table new_mute (team_id text not null)`.execute(db);
      await sql`alter table plan add column unit text`.execute(db);
      await sql`drop table api_key`.execute(db);
      await sql`create table api_key (team_id text primary key, api_key_jwe text not null, owner text not null)`.execute(
        db,
      );
    },
  };
  expect(await findContractions({ ...migrations, '9999_later': later })).toEqual(
    expect.arrayContaining([
      'plan.skipped_by',
      'past_alert.vps',
      'api_key.quota',
      'api_key.owner is required',
    ]),
  );
});

/** Lists what the migrations after the first remove, and what they require of rows in older tables. */
async function findContractions(all: Readonly<Record<string, Migration>>): Promise<readonly string[]> {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database: wrap(database) }) });
  const contractions: string[] = [];
  let before = listColumns(database);
  for (const migration of Object.values(all)) {
    await migration.up(db);
    const after = listColumns(database);
    const tables = new Set([...before.keys()].map((column) => column.split('.')[0]));
    contractions.push(...[...before.keys()].filter((column) => !after.has(column)));
    for (const [column, isRequired] of after)
      if (isRequired && tables.has(column.split('.')[0]) && before.get(column) !== true)
        contractions.push(`${column} is required`);
    before = after;
  }
  database.close();
  return contractions;
}

/** Returns each column, and whether a row needs a value for it. */
function listColumns(database: DatabaseSync): Map<string, boolean> {
  const rows = database
    .prepare(
      `select m.name || '.' || c.name as name, c."notnull" = 1 and c.dflt_value is null as isRequired
       from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'`,
    )
    .all();
  return new Map(rows.map(({ name, isRequired }) => [String(name), isRequired === 1]));
}

/** Lets Kysely use the database. */
function wrap(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => {},
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}
