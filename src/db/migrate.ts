import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { RackhandError } from '../errors.ts';
import { formatList } from '../format-list.ts';
import { initial } from './migrations/0001-initial.ts';

/**
 * All migrations, numbered from 0001 without gaps. Kysely runs them in alphabetical order, and rejects a
 * new migration whose name sorts before one that has already run.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_initial': initial,
};

/**
 * Runs the pending migrations. Replicas can call this at the same time. Throws `setting_invalid` if the
 * database was migrated by a newer version of Rackhand.
 */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const unknown = await listUnknownMigrations(db);
  if (unknown.length === 0) throw error;
  throw new RackhandError(
    'setting_invalid',
    `A newer version of Rackhand has changed the database (${formatList(unknown, 'and')}). Start that version, or restore a backup from before the upgrade.`,
    { cause: error },
  );
}

/** Lists the completed migrations that this version of Rackhand doesn't know. */
async function listUnknownMigrations<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db);
  return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}
