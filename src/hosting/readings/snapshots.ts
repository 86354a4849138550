import { findList, type ListKind } from './lists.ts';
import { bare, isVpsName, type ServiceRecord, stateOf, textOf, valuesOf } from './records.ts';
import { timeMsOf } from './times.ts';
import { bytesOf } from './units.ts';

/** A snapshot as far as a payload of unknown shape tells. */
export interface SnapshotReading {
  /** As the service writes it; what restore and delete name it by. */
  readonly name: string;
  /** In ms since the epoch. */
  readonly createdMs?: number;
  readonly sizeBytes?: number;
  /** The service's own word. */
  readonly state?: string;
  readonly record: ServiceRecord;
}

export interface SnapshotListReading {
  readonly snapshots: readonly SnapshotReading[];
  /** Whether the payload hints at further pages, so that a name not in the list may still exist. */
  readonly mayHaveMore: boolean;
  /** What came beside the list, such as a quota. */
  readonly rest: ServiceRecord;
}

const nameFields = ['name', 'snapshotname', 'snapname', 'snapshot', 'title', 'label', 'id', 'snapshotid'];
const timeFields =
  'createdat created creationdate creationtime createtime createdon takenat snaptime date time timestamp'.split(
    ' ',
  );
const sizeField = /^(size|disksize|usedsize|used|snapshotsize|totalsize)((in)?(bytes?|[kmgt]i?b))?$/;

const snapshotKind: ListKind<SnapshotReading> = {
  fields: /^(snapshots?|snapshotlist|snaps?)$/,
  fits: ({ key, record }) =>
    nameOf(record, key) !== undefined &&
    (createdMsOf(record) !== undefined || sizeBytesOf(record) !== undefined) &&
    !isVpsName(nameOf(record, key)),
  recordOf: (value, key) => (key === undefined && typeof value === 'string' ? { name: value } : undefined),
  read({ key, record }) {
    const name = nameOf(record, key);
    if (name === undefined) return undefined;
    const createdMs = createdMsOf(record);
    const sizeBytes = sizeBytesOf(record);
    const state = stateOf(record);
    return {
      name,
      ...(createdMs !== undefined && { createdMs }),
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(state !== undefined && { state }),
      record,
    };
  },
};

function nameOf(record: ServiceRecord, key?: string): string | undefined {
  return textOf(record, nameFields) ?? key;
}

function createdMsOf(record: ServiceRecord): number | undefined {
  return valuesOf(record, timeFields)
    .map(timeMsOf)
    .find((timeMs) => timeMs !== undefined);
}

function sizeBytesOf(record: ServiceRecord): number | undefined {
  return Object.entries(record)
    .filter(([field]) => sizeField.test(bare(field)))
    .map(([field, value]) => bytesOf(field, value))
    .find((bytes) => bytes !== undefined);
}

/** Reads the snapshots of a VPS: a list of records or of names, or a map by name. */
export function readSnapshots(data: unknown): SnapshotListReading {
  const { readings, mayHaveMore, rest } = findList(data, snapshotKind);
  return { snapshots: readings, mayHaveMore, rest };
}
