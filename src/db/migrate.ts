import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { initial } from './migrations/0001-initial.ts';
import { security } from './migrations/0002-security.ts';
import { erasure } from './migrations/0003-erasure.ts';
import { pendingAct } from './migrations/0004-pending-act.ts';
import { runTitle } from './migrations/0005-run-title.ts';
import { jobs } from './migrations/0006-jobs.ts';
import { watchJobs } from './migrations/0007-watch-jobs.ts';

/**
 * All migrations, numbered from 0001 without gaps. Kysely runs them in alphabetical order, and
 * rejects a new name that sorts before a migration that has already run.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_initial': initial,
  '0002_security': security,
  '0003_erasure': erasure,
  '0004_pending_act': pendingAct,
  '0005_run_title': runTitle,
  '0006_jobs': jobs,
  '0007_watch_jobs': watchJobs,
};

/** Migrates the database to the latest schema. Replicas can do this at the same time. */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
