import { type Kysely, sql } from 'kysely';

/** The name of the newest migration. */
export const newestMigration = '0028_operation_target_index';

/** Kysely's table of the migrations that have run. */
export const migrationTable = 'kysely_migration';

/**
 * Migrates the database to the latest schema. Replicas can do this at the same time. Throws
 * `setting_invalid` if a newer version of Rackhand has migrated the database.
 */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  // Migrations run in order, so if the newest one has run, all have. Loading and running the
  // migrator would take longer than everything else that a start does with the database.
  if ((await findNewestMigration(db)) === newestMigration) return;
  const { runMigrations } = await import('./run-migrations.ts');
  await runMigrations(db);
}

/** Returns the newest migration that has run. Returns undefined if the table can't be read, or doesn't exist yet. */
async function findNewestMigration<Schema>(db: Kysely<Schema>): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(migrationTable)} order by name desc limit 1
    `.execute(db);
    return rows[0]?.name;
  } catch {
    return undefined;
  }
}
