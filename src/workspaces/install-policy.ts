import type { Database } from '../db/engines/database.ts';
import { RackhandError } from '../errors.ts';
import type { Installation } from './installation-store.ts';

/** Which workspaces can install the app. IDs are those of workspaces or organizations. */
export interface InstallPolicySettings {
  /** If not empty, only these workspaces and organizations can install the app. */
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  /** 0 for no limit. */
  readonly maxInstallations: number;
}

/** Any number of workspaces can install the app. */
export const noInstallLimits: InstallPolicySettings = { allowed: [], blocked: [], maxInstallations: 0 };

/** Throws `install_refused` if the policy doesn't allow this installation. */
export type AssertCanInstall = (installation: Pick<Installation, 'teamId' | 'enterpriseId'>) => Promise<void>;

export function createInstallPolicy(
  db: Database,
  { allowed, blocked, maxInstallations }: InstallPolicySettings,
): AssertCanInstall {
  return async ({ teamId, enterpriseId }) => {
    const ids = [teamId, ...(enterpriseId === null ? [] : [enterpriseId])];
    const isListed = (list: readonly string[]) => ids.some((id) => list.includes(id));
    if (isListed(blocked) || (allowed.length > 0 && !isListed(allowed))) {
      throw new RackhandError('install_refused', "This workspace isn't allowed to install Rackhand here.");
    }
    if (maxInstallations === 0) return;
    const others = await db
      .selectFrom('installation')
      .select((row) => row.fn.countAll<number | string>().as('count'))
      .where('team_id', '!=', teamId)
      .executeTakeFirstOrThrow();
    if (Number(others.count) < maxInstallations) return;
    throw new RackhandError('install_refused', 'This Rackhand has as many workspaces as it accepts.');
  };
}
