import { type Entry, type EntryKind, findEntries, saysNone } from './entries.ts';
import { snapshotValues } from './known-values.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { findText, omitUndefined, type ServiceRecord } from './record.ts';
import { isOfAnotherVps, isVpsName } from './vps-name.ts';

/** A snapshot as read from a payload whose format isn't documented. */
export interface Snapshot {
  /** The name as the service writes it, for restoring and deleting. */
  readonly name: string;
  /** Creation time in epoch ms. */
  readonly createdAtMs?: number;
  readonly sizeBytes?: number;
  /** The state in the service's own words. */
  readonly state?: string;
  readonly record: ServiceRecord;
}

export interface SnapshotList {
  readonly snapshots: readonly Snapshot[];
  /** Whether the service says that there are no snapshots. */
  readonly isNone: boolean;
  /** Whether there may be more snapshots than the payload contains. */
  readonly hasMore: boolean;
  /** The payload without the list, such as a quota. */
  readonly otherFields: ServiceRecord;
}

/**
 * Reads a VPS's snapshots from a list of records or names, or a map by name. Skips the entry `current`, which
 * Proxmox VE adds for the present state. Snapshots whose record names another VPS go to `otherFields`.
 */
export function readSnapshots(data: unknown, vpsName?: string): SnapshotList {
  const matcher = openMatcher(data);
  const { entries, otherFields } = findEntries(data, createKind(matcher));
  const all = entries.flatMap((entry) => toSnapshot(entry, matcher));
  const ofOthers = all.filter(({ record }) => isOfAnotherVps(record, vpsName));
  return {
    snapshots: all.filter((one) => !ofOthers.includes(one) && !isPresentState(one)),
    isNone: saysNone(data) || (all.length > 0 && all.every(isPresentState)),
    hasMore: hasMorePages(data, all.length),
    otherFields: {
      ...otherFields,
      ...(ofOthers.length > 0 && { of_other_vps: ofOthers.map(({ record }) => record) }),
    },
  };
}

function createKind(matcher: Matcher): EntryKind {
  return {
    listNames: /^((instance|vm)?snapshots?|snapshotlist|snaps?|backups?)$/,
    matcher,
    name: snapshotValues.name,
    isPossible: (entry, trial) => trial.text(snapshotValues.name, entry) !== undefined,
    isCertain(entry, trial) {
      const name = readName(entry, trial);
      const { time, size } = snapshotValues;
      const isDescribed = [time, size].some((known) => trial.read(known, entry) !== undefined);
      return name !== undefined && isDescribed && !isVpsName(name);
    },
    toRecord: (value, { key }) =>
      key === undefined && typeof value === 'string' ? { name: value } : undefined,
  };
}

/** Reads a snapshot's name, which is its key in a map if there's no field for it. */
function readName(entry: Entry, matcher: Matcher): string | undefined {
  const name = matcher.text(snapshotValues.name, entry);
  return name ?? (matcher.mappingOf(snapshotValues.name) ? undefined : entry.key);
}

function toSnapshot(entry: Entry, matcher: Matcher): readonly Snapshot[] {
  const name = readName(entry, matcher);
  if (name === undefined) return [];
  const createdAtMs = matcher.number(snapshotValues.time, entry);
  const sizeBytes = matcher.number(snapshotValues.size, entry);
  const state = matcher.text(snapshotValues.state, entry);
  return [omitUndefined({ name, createdAtMs, sizeBytes, state, record: entry.record })];
}

function isPresentState({ name, createdAtMs, record }: Snapshot): boolean {
  if (name !== 'current' || createdAtMs !== undefined) return false;
  return /you are here/i.test(findText(record, ['description']) ?? '') || 'digest' in record;
}
