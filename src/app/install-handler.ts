import type { AppSettings } from '../config.ts';
import type { PlanWelcome } from '../workspaces/api-key/welcome-messages.ts';
import { createInstallPolicy, noInstallLimits } from '../workspaces/install-policy.ts';
import type { Installation } from '../workspaces/installation-store.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Returns a function that stores a new installation and records it in the activity log. */
export function createInstallHandler(
  { db, installations, runs }: Pick<Infrastructure, 'db' | 'installations' | 'runs'>,
  { installPolicy = noInstallLimits }: Pick<AppSettings, 'installPolicy'>,
  planWelcome: PlanWelcome,
) {
  const assertCanInstall = createInstallPolicy(db, installPolicy);
  return async (installation: Installation, userId: string): Promise<void> => {
    await assertCanInstall(installation);
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
