import { findList, type ListSpec } from '../payload/list-finder.ts';
import {
  findState,
  findText,
  findValues,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
} from '../values/records.ts';
import { parseTimeMs } from '../values/times.ts';
import { parseBytes } from '../values/units.ts';

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

const nameFields = ['name', 'snapshotname', 'snapname', 'snapshot', 'title', 'label', 'id', 'snapshotid'];
const timeFields =
  'createdat created creationdate creationtime createtime createdon takenat snaptime date time timestamp'.split(
    ' ',
  );
const sizeField = /^(size|disksize|usedsize|used|snapshotsize|totalsize)((in)?(bytes?|[kmgt]i?b))?$/;

const snapshotListSpec: ListSpec<Snapshot> = {
  namePattern: /^(snapshots?|snapshotlist|snaps?)$/,
  isCertain: ({ key, record }) =>
    findSnapshotName(record, key) !== undefined &&
    (findCreatedAtMs(record) !== undefined || findSizeBytes(record) !== undefined) &&
    !isVpsName(findSnapshotName(record, key)),
  toRecord: (value, key) => (key === undefined && typeof value === 'string' ? { name: value } : undefined),
  readItem({ key, record }) {
    const name = findSnapshotName(record, key);
    if (name === undefined) return undefined;
    const createdAtMs = findCreatedAtMs(record);
    const sizeBytes = findSizeBytes(record);
    const state = findState(record);
    return {
      name,
      ...(createdAtMs !== undefined && { createdAtMs }),
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(state !== undefined && { state }),
      record,
    };
  },
};

function findSnapshotName(record: ServiceRecord, key?: string): string | undefined {
  return findText(record, nameFields) ?? key;
}

function findCreatedAtMs(record: ServiceRecord): number | undefined {
  return findValues(record, timeFields)
    .map(parseTimeMs)
    .find((timeMs) => timeMs !== undefined);
}

function findSizeBytes(record: ServiceRecord): number | undefined {
  return Object.entries(record)
    .filter(([field]) => sizeField.test(normalizeFieldName(field)))
    .map(([field, value]) => parseBytes(field, value))
    .find((bytes) => bytes !== undefined);
}

/**
 * Reads the snapshots of a VPS. They can be a list of records or names, or a map by name. The entry
 * `current`, which Proxmox VE adds for the present state, is left out.
 */
export function readSnapshots(data: unknown): SnapshotList {
  const { items, hasMore, otherFields } = findList(data, snapshotListSpec);
  return { snapshots: items.filter((snapshot) => !isPresentState(snapshot)), hasMore, otherFields };
}

function isPresentState({ name, createdAtMs, sizeBytes, record }: Snapshot): boolean {
  if (name !== 'current' || createdAtMs !== undefined || sizeBytes !== undefined) return false;
  return /you are here/i.test(findText(record, ['description']) ?? '') || 'digest' in record;
}
