import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { initial } from './migrations/2026-11-21-initial.ts';
import { followingAndSecrets } from './migrations/2026-11-22-following-and-secrets.ts';
import { keyConnection } from './migrations/2026-11-24-key-connection.ts';
import { approvals } from './migrations/2026-11-25-approvals.ts';
import { rights } from './migrations/2026-11-26-rights.ts';
import { record } from './migrations/2026-11-27-record.ts';
import { orgWorkspaces } from './migrations/2026-11-28-org-workspaces.ts';
import { reports } from './migrations/2026-11-29-reports.ts';
import { reportMemory } from './migrations/2026-11-30-report-memory.ts';
import { mutes } from './migrations/2026-12-01-mutes.ts';
import { vpsHours } from './migrations/2026-12-02-vps-hours.ts';
import { watches } from './migrations/2026-12-10-watches.ts';
import { calledAndWanted } from './migrations/2026-12-11-called-and-wanted.ts';
import { tellingAndRevisions } from './migrations/2026-12-12-telling-and-revisions.ts';

const migrations: Record<string, Migration> = {
  '2026-11-21-initial': initial,
  '2026-11-22-following-and-secrets': followingAndSecrets,
  '2026-11-24-key-connection': keyConnection,
  '2026-11-25-approvals': approvals,
  '2026-11-26-rights': rights,
  '2026-11-27-record': record,
  '2026-11-28-org-workspaces': orgWorkspaces,
  '2026-11-29-reports': reports,
  '2026-11-30-report-memory': reportMemory,
  '2026-12-01-mutes': mutes,
  '2026-12-02-vps-hours': vpsHours,
  '2026-12-10-watches': watches,
  '2026-12-11-called-and-wanted': calledAndWanted,
  '2026-12-12-telling-and-revisions': tellingAndRevisions,
};

/** Brings the database to the present schema; several replicas may do so at once. */
export async function migrate<Schema>(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
