import { RackhandError } from '../errors.ts';
import type { Installation } from './installation-store.ts';

/**
 * Throws `install_refused` unless the workspace or its organization is allowed to install the app. An
 * empty list allows everyone.
 */
export function assertCanInstall(
  { teamId, enterpriseId }: Pick<Installation, 'teamId' | 'enterpriseId'>,
  allowed: readonly string[],
): void {
  if (allowed.length === 0 || allowed.includes(teamId)) return;
  if (enterpriseId !== null && allowed.includes(enterpriseId)) return;
  throw new RackhandError('install_refused', "This workspace isn't allowed to install Rackhand here.");
}
