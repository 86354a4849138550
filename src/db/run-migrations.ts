import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { RackhandError } from '../errors.ts';
import { formatList } from '../format-list.ts';
import { initial } from './migrations/0001-initial.ts';
import { security } from './migrations/0002-security.ts';
import { erasure } from './migrations/0003-erasure.ts';
import { pendingAct } from './migrations/0004-pending-act.ts';
import { runTitle } from './migrations/0005-run-title.ts';
import { jobs } from './migrations/0006-jobs.ts';
import { watchJobs } from './migrations/0007-watch-jobs.ts';
import { oauthState } from './migrations/0008-oauth-state.ts';
import { suspendedWorkspace } from './migrations/0009-suspended-workspace.ts';
import { quotaSender } from './migrations/0010-quota-sender.ts';
import { auditChain } from './migrations/0011-audit-chain.ts';
import { reportJobs } from './migrations/0012-report-jobs.ts';
import { tokenRotation } from './migrations/0013-token-rotation.ts';
import { pausedWatches } from './migrations/0014-paused-watches.ts';
import { runJobs } from './migrations/0015-run-jobs.ts';
import { encryptedResponseUrl } from './migrations/0016-encrypted-response-url.ts';
import { historyIndexes } from './migrations/0017-history-indexes.ts';
import { alertOwners } from './migrations/0018-alert-owners.ts';
import { batches } from './migrations/0019-batches.ts';
import { maintenance } from './migrations/0020-maintenance.ts';
import { stars } from './migrations/0021-stars.ts';
import { schedules } from './migrations/0022-schedules.ts';
import { personalSettings } from './migrations/0023-personal-settings.ts';
import { reasonRule } from './migrations/0024-reason-rule.ts';
import { approvalGroups } from './migrations/0025-approval-groups.ts';
import { trafficUnit } from './migrations/0026-traffic-unit.ts';
import { queryIndexes } from './migrations/0027-query-indexes.ts';
import { operationTargetIndex } from './migrations/0028-operation-target-index.ts';

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
  '0008_oauth_state': oauthState,
  '0009_suspended_workspace': suspendedWorkspace,
  '0010_quota_sender': quotaSender,
  '0011_audit_chain': auditChain,
  '0012_report_jobs': reportJobs,
  '0013_token_rotation': tokenRotation,
  '0014_paused_watches': pausedWatches,
  '0015_run_jobs': runJobs,
  '0016_encrypted_response_url': encryptedResponseUrl,
  '0017_history_indexes': historyIndexes,
  '0018_alert_owners': alertOwners,
  '0019_batches': batches,
  '0020_maintenance': maintenance,
  '0021_stars': stars,
  '0022_schedules': schedules,
  '0023_personal_settings': personalSettings,
  '0024_reason_rule': reasonRule,
  '0025_approval_groups': approvalGroups,
  '0026_traffic_unit': trafficUnit,
  '0027_query_indexes': queryIndexes,
  '0028_operation_target_index': operationTargetIndex,
};

/**
 * Runs the migrations that haven't run yet. Replicas can do this at the same time. Throws
 * `setting_invalid` if a newer version of Rackhand has migrated the database.
 */
export async function runMigrations<Schema>(db: Kysely<Schema>): Promise<void> {
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

/** Lists the migrations that have run and that this version doesn't know. */
async function listUnknownMigrations<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db);
  return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}
