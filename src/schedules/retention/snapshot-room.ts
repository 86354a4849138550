import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../hosting/payloads/snapshots.ts';
import type { Read } from '../../operations/define/read.ts';
import { type KeepRule, periods } from './keep-rule.ts';

const limitField = /^(max(imum)?_?snapshots?|snapshots?_?(quota|limit|max))$/i;

/**
 * Returns how many snapshots a VPS needs room for: those that the rule keeps, plus the next one, which is taken before
 * an older one is deleted.
 */
export function snapshotsNeeded(rule: KeepRule): number {
  return periods.reduce((sum, period) => sum + rule[period], 1);
}

/**
 * Returns a warning if the service's limit is too low for the rule. Returns undefined if the limit or the list is
 * unknown.
 */
export async function findRoomWarning(
  read: Read,
  { vps, label }: { readonly vps: string; readonly label: string },
  rule: KeepRule,
): Promise<string | undefined> {
  const data = await read(listSnapshots, { params: { vps_name: vps } }).catch(() => undefined);
  if (data === undefined) return undefined;
  const { snapshots, otherFields } = readSnapshots(data, vps);
  const limit = Object.entries(otherFields).find(([field]) => limitField.test(field))?.[1];
  if (typeof limit !== 'number' || snapshots.length + snapshotsNeeded(rule) <= limit) return undefined;
  const existing = snapshots.length === 0 ? '' : ` (${snapshots.length} now)`;
  return `⚠️ ${label} can have at most ${limit} snapshots${existing}, but this schedule needs room for ${snapshotsNeeded(rule)}, so later ones will fail. Keep fewer, for example --keep ${Math.max(1, limit - snapshots.length - 1)}d.`;
}
