import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { expect, test } from 'vitest';
import { migrationTable, newestMigration } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/run-migrations.ts';

const names = Object.keys(migrations);

test('migrations are numbered from 0001 without a gap, so the next number always sorts last', () => {
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+$/.test(name))).toEqual([]);
  const next = `${String(names.length + 1).padStart(4, '0')}_next`;
  expect([...names, next].sort().at(-1)).toBe(next);
});

test('a start looks for the newest migration in the table of Kysely', () => {
  expect(newestMigration).toBe(names.at(-1));
  expect(migrationTable).toBe(DEFAULT_MIGRATION_TABLE);
});

test('every file in the migrations folder is listed under its own name', () => {
  const files = readdirSync(new URL('../../src/db/migrations', import.meta.url));
  expect(files.map((file) => basename(file, '.ts').replaceAll('-', '_')).sort()).toEqual([...names].sort());
});

/**
 * Columns that a migration removes or makes required, although the version before it uses the table.
 * Those listed here ran before the first release. Add one only a release after the last use of it.
 */
const contractions = {
  '0006_jobs': [
    'audit_subscription.owner',
    'audit_subscription.lease_until',
    'periodic_task.name',
    'periodic_task.last_run_at',
  ],
  '0007_watch_jobs': [
    'watch_evaluation.team_id',
    'watch_evaluation.next_at',
    'watch_evaluation.last_vps',
    'watch_evaluation.interval_ms',
    'watch_evaluation.call_count',
    'watch_evaluation.claim_token',
    'watch_evaluation.lease_until',
  ],
  '0012_report_jobs': ['report.claim_token', 'report.lease_until', 'report.attempts', 'report.not_before'],
  '0015_run_jobs': [
    'progress_poll.run_id',
    'progress_poll.until_at',
    'progress_poll.owner',
    'progress_poll.lease_until',
  ],
};

test('migrations only add, so that the version before still works beside this one and after a rollback', async () => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database: wrap(database) }) });
  const seen: Record<string, readonly string[]> = {};
  let before = listColumns(database);
  for (const [name, migration] of Object.entries(migrations)) {
    await migration.up(db);
    const after = listColumns(database);
    const removed = [...before.keys()].filter((column) => !after.has(column));
    const tables = new Set([...before.keys()].map((column) => column.split('.')[0]));
    const required = [...after].flatMap(([column, isRequired]) => {
      const isOfOldTable = tables.has(column.split('.')[0]);
      return isOfOldTable && isRequired && before.get(column) !== true ? [`${column} is required`] : [];
    });
    if (removed.length + required.length > 0) seen[name] = [...removed, ...required];
    before = after;
  }
  database.close();
  expect(seen).toEqual(contractions);
});

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
