import type { Logger } from 'pino';
import { createAskStore } from '../../asks/ask-store.ts';
import { trimOutcomes } from '../../audit/trim-outcomes.ts';
import { createGrantStore } from '../../auth/grants/grant-store.ts';
import type { Database } from '../../db/engines/database.ts';
import type { PeriodicJob } from '../../jobs/job-kind.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { dayMs } from '../../time/units.ts';
import type { InstallationStore } from '../installation-store.ts';
import { deleteWorkspaceRows } from './delete-rows.ts';

/** Default for UNINSTALL_GRACE_DAYS. */
export const defaultGraceDays = 30;

const checkIntervalMs = 5 * 60_000;

interface DataRetentionDependencies {
  readonly db: Database;
  readonly installations: Pick<InstallationStore, 'findFresh'>;
  /** Days between the app's removal and the purge of the workspace's data. */
  readonly graceDays?: number | undefined;
  readonly log: Pick<Logger, 'info'>;
  readonly now?: () => number;
}

/**
 * Deletes data that is no longer needed: the details of old replies, expired requests and grants, and the
 * data of workspaces that removed the app.
 */
export interface DataRetention {
  /** Creates the periodic job that calls `deleteDue`. `catalogue` contains all operations. */
  createJob(catalogue: Pick<Catalogue, 'find'>): PeriodicJob;
  /** Deletes all data whose retention period has ended. */
  deleteDue(catalogue: Pick<Catalogue, 'find'>): Promise<void>;
  /** Deletes data that must not outlive the installation, and schedules the deletion of the remaining data. */
  handleUninstalled(teamId: string): Promise<void>;
}

export function createDataRetention(dependencies: DataRetentionDependencies): DataRetention {
  const { db, installations, graceDays = defaultGraceDays, log, now = Date.now } = dependencies;

  async function purgeRemovedWorkspaces(): Promise<void> {
    const due = await db
      .selectFrom('removed_workspace')
      .select('team_id')
      .where('removed_at', '<=', now() - graceDays * dayMs)
      .execute();
    for (const { team_id: teamId } of due) {
      if (await installations.findFresh(teamId)) {
        await db.deleteFrom('removed_workspace').where('team_id', '=', teamId).execute();
        continue;
      }
      // The app may have been installed again in the meantime.
      const deleted = await deleteWorkspaceRows(db, teamId, { scope: 'data' });
      log.info({ teamId, deleted }, 'the data of a workspace that removed the app was purged');
    }
  }

  async function deleteDue(catalogue: Pick<Catalogue, 'find'>): Promise<void> {
    while ((await trimOutcomes(db, catalogue.find, now())) > 0);
    await createAskStore(db).deleteExpired(now() - dayMs);
    await createGrantStore(db).deleteExpired(now());
    await purgeRemovedWorkspaces();
  }

  return {
    deleteDue,
    createJob: (catalogue) => ({
      name: 'data-retention',
      intervalMs: checkIntervalMs,
      run: () => deleteDue(catalogue),
    }),
    async handleUninstalled(teamId) {
      await deleteWorkspaceRows(db, teamId, { scope: 'installation' });
      const removed_at = now();
      await db
        .insertInto('removed_workspace')
        .values({ team_id: teamId, removed_at })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ removed_at }))
        .execute();
    },
  };
}
