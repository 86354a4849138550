import { RackhandError } from '../../../errors.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { readVpsList, type Vps } from '../../../hosting/payloads/vps.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { canViewVps } from '../../define/access/access.ts';
import { maxChoicesAgeMs } from '../../define/arguments/choice-source.ts';
import type { OperationContext } from '../../define/operation.ts';
import type { Read } from '../../define/read.ts';
import type { VpsLabels } from '../../format/label-vps.ts';
import { createVpsLabels, formatVpsLabel } from '../../format/vps-label.ts';

/** How long (ms) a reply waits for its VPS names, and for the pages after the first. */
const timeoutMs = 1_500;
const pagesTimeoutMs = 500;

/**
 * Returns labels for the VPS that the actor is allowed to view. If the VPS can't be listed in time, only
 * those with a team alias get a label.
 */
export async function loadVpsLabels({
  read,
  workspace,
  loadAccess,
}: Pick<OperationContext, 'read' | 'workspace' | 'loadAccess'>): Promise<VpsLabels> {
  const [labels, checkAccess] = await Promise.all([
    workspace.listVpsAliases().then((ownAliases) => readVpsLabels(read, ownAliases)),
    loadAccess(),
  ]);
  return new Map([...labels].filter(([vps]) => canViewVps(checkAccess, vps)));
}

/** Returns labels for the VPS that can be listed in time. */
export async function readVpsLabels(read: Read, ownAliases: ReadonlyMap<string, string>): Promise<VpsLabels> {
  const fleet = await listFleet(read);
  const own = [...ownAliases].map(([vps, alias]) => [vps, formatVpsLabel(vps, alias)] as const);
  return new Map([...own, ...createVpsLabels(fleet, ownAliases)]);
}

async function listFleet(read: Read): Promise<readonly Vps[]> {
  try {
    const options = { maxAgeMs: maxChoicesAgeMs, pagesTimeoutMs };
    return readVpsList(await withTimeout(read(listVps, {}, options), timeoutMs)).vps;
  } catch (error) {
    if (error instanceof RackhandError) return [];
    throw error;
  }
}
