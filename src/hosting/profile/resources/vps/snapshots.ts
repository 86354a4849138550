import type { ListItem } from '../../payload/list-candidates.ts';
import { findList, type ListSpec, toOtherFields } from '../../payload/list-finder.ts';
import { findUnreadParts } from '../../payload/unread-parts.ts';
import { openPlaces, type Places } from '../../readings/places.ts';
import { snapshotReadings } from '../../readings/resource-readings.ts';
import {
  findText,
  isOfAnotherVps,
  isRecord,
  isVpsName,
  listStates,
  type ServiceRecord,
} from '../../values/records.ts';

/** A snapshot, described by an undocumented payload. */
export interface Snapshot {
  /** The name as the service writes it. Restoring and deleting need it. */
  readonly name: string;
  /** Time in epoch ms. */
  readonly createdAtMs?: number;
  readonly sizeBytes?: number;
  /** The state in the service's own words. */
  readonly state?: string;
  readonly record: ServiceRecord;
}

export interface SnapshotList {
  readonly snapshots: readonly Snapshot[];
  /** Whether the payload indicates further pages, which means that other names may exist. */
  readonly hasMore: boolean;
  /** The payload without the list, such as a quota. */
  readonly otherFields: ServiceRecord;
}

function createSnapshotListSpec(places: Places): ListSpec<ListItem> {
  return {
    namePattern: /^(snapshots?|snapshotlist|snaps?)$/,
    isCertain(item) {
      const name = readName(item, places);
      const isDescribed =
        places.findTimeMs(snapshotReadings.time, item.record) !== undefined ||
        places.findNumber(snapshotReadings.size, item.record) !== undefined;
      return name !== undefined && isDescribed && !isVpsName(name);
    },
    toRecord: (value, key) => (key === undefined && typeof value === 'string' ? { name: value } : undefined),
    readItem: (item) => (readName(item, places) === undefined ? undefined : item),
  };
}

function readName({ key, record }: ListItem, places: Places): string | undefined {
  return places.findName(snapshotReadings.name, record, key);
}

function toSnapshot(item: ListItem, places: Places): readonly Snapshot[] {
  const { record } = item;
  const name = readName(item, places);
  if (name === undefined) return [];
  const createdAtMs = places.findTimeMs(snapshotReadings.time, record);
  const sizeBytes = places.findNumber(snapshotReadings.size, record);
  const state = places.findText(snapshotReadings.state, record, () => listStates(record, false));
  return [
    {
      name,
      ...(createdAtMs !== undefined && { createdAtMs }),
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(state !== undefined && { state }),
      record,
    },
  ];
}

/**
 * Reads the snapshots of a VPS. They can be a list of records or names, or a map by name. The entry
 * `current`, which Proxmox VE adds for the present state, is left out. Snapshots whose record names
 * another VPS than `vpsName` are among the other fields.
 */
export function readSnapshots(data: unknown, vpsName?: string): SnapshotList {
  const places = openPlaces(data);
  const search = openPlaces(data, { isSearch: true });
  const { items, hasMore, otherFields } = findList(data, createSnapshotListSpec(search));
  const alike = findAlikeRecords(data, items, search);
  const all = [...items, ...alike].flatMap((item) => toSnapshot(item, places));
  const [snapshots, ofOthers] = [false, true].map((isOther) =>
    all.filter(({ record }) => isOfAnotherVps(record, vpsName) === isOther),
  ) as [Snapshot[], Snapshot[]];
  const others = removeRecords(otherFields, alike);
  return {
    snapshots: snapshots.filter((snapshot) => !isPresentState(snapshot)),
    hasMore,
    otherFields:
      ofOthers.length === 0 ? others : { ...others, of_other_vps: ofOthers.map(({ record }) => record) },
  };
}

/** A record is similar if it has at least this share of another record's fields. */
const minSharedFields = 0.75;

/**
 * Finds snapshots outside the list, such as the children of a snapshot or the one in `{ snapshot: {
 * current: { … } } }`. They have a time, and the same fields as the snapshots in the list.
 */
function findAlikeRecords(data: unknown, items: readonly ListItem[], places: Places): readonly ListItem[] {
  const listed = new Set<unknown>(items.map(({ record }) => record));
  const fields = Object.keys(items[0]?.record ?? {});
  const isAlike = (record: ServiceRecord) =>
    fields.filter((field) => field in record).length >= fields.length * minSharedFields &&
    places.findText(snapshotReadings.name, record) !== undefined &&
    places.findTimeMs(snapshotReadings.time, record) !== undefined;
  const find = (value: unknown, depth: number): readonly ListItem[] => {
    if (typeof value !== 'object' || value === null || depth > maxAlikeDepth) return [];
    const own = isRecord(value) && !listed.has(value) && isAlike(value) ? [{ record: value }] : [];
    return [...own, ...Object.values(value).flatMap((inner) => find(inner, depth + 1))];
  };
  return fields.length < minAlikeFields ? [] : find(data, 0);
}

/** Records with fewer fields can be similar by chance. */
const minAlikeFields = 3;
const maxAlikeDepth = 8;

function removeRecords(otherFields: ServiceRecord, items: readonly ListItem[]): ServiceRecord {
  if (items.length === 0) return otherFields;
  const records = items.map(({ record }) => record);
  return toOtherFields(findUnreadParts(otherFields, records));
}

function isPresentState({ name, createdAtMs, sizeBytes, record }: Snapshot): boolean {
  if (name !== 'current' || createdAtMs !== undefined || sizeBytes !== undefined) return false;
  return /you are here/i.test(findText(record, ['description']) ?? '') || 'digest' in record;
}
