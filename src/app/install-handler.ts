import type { AppSettings } from '../config.ts';
import type { PlanWelcome } from '../workspaces/api-key/welcome-messages.ts';
import { assertCanInstall } from '../workspaces/install-policy.ts';
import type { Installation } from '../workspaces/installation-store.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Returns a function that stores a new installation and records it in the activity log. */
export function createInstallHandler(
  { installations, runs }: Pick<Infrastructure, 'installations' | 'runs'>,
  { allowedWorkspaces = [] }: Pick<AppSettings, 'allowedWorkspaces'>,
  planWelcome: PlanWelcome,
) {
  return async (installation: Installation, userId: string): Promise<void> => {
    assertCanInstall(installation, allowedWorkspaces);
    const nowMs = Date.now();
    const isNew = (await installations.findFresh(installation.teamId)) === undefined;
    await installations.save(installation, nowMs);
    if (isNew) await planWelcome(installation, userId);
    await runs.addAuditEntry({
      actor: { teamId: installation.teamId, userId },
      operation: 'install',
      target: 'Rackhand',
      status: 'done',
      outcome: { title: `Rackhand was installed in ${installation.teamName}` },
      nowMs,
    });
  };
}
