import type { AppSettings } from '../config.ts';
import { createInstallPolicy, noInstallLimits } from '../workspaces/install-policy.ts';
import type { Installation } from '../workspaces/installation-store.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Returns a function that stores a new installation and records it in the activity log. */
export function createInstallHandler(
  { db, installations, runs }: Pick<Infrastructure, 'db' | 'installations' | 'runs'>,
  { installPolicy = noInstallLimits }: Pick<AppSettings, 'installPolicy'>,
) {
  const assertCanInstall = createInstallPolicy(db, installPolicy);
  return async (installation: Installation, userId: string): Promise<void> => {
    await assertCanInstall(installation);
    const nowMs = Date.now();
    await installations.save(installation, nowMs);
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
