import { isEmpty, isRecord, type ServiceRecord } from '../values/records.ts';

/** Deeper values aren't compared. They count as unread. */
const maxDepth = 10;

/**
 * Returns the parts of a value that no record contains. A field is contained if a record has the
 * same field with the same value, at any depth. An entry of a list is contained if a record has the
 * same value. Returns undefined if nothing is left.
 */
export function findUnreadParts(value: unknown, records: readonly unknown[]): unknown {
  const known: KnownFields = new Map();
  for (const record of records) collectFields(record, known);
  return removeKnown(value, undefined, known);
}

/** The fields that contain a value, by value. The field of an entry of a list is undefined. */
type KnownFields = Map<unknown, Set<string | undefined>>;

function collectFields(value: unknown, known: KnownFields, field?: string, depth = maxDepth): void {
  if (typeof value !== 'object' || value === null) {
    known.set(value, (known.get(value) ?? new Set()).add(field));
  } else if (depth > 0) {
    for (const [name, inner] of Object.entries(value))
      collectFields(inner, known, Array.isArray(value) ? undefined : name, depth - 1);
  }
}

function removeKnown(
  value: unknown,
  field: string | undefined,
  known: KnownFields,
  depth = maxDepth,
): unknown {
  if (isEmpty(value)) return undefined;
  if (typeof value !== 'object') return isKnown(value, field, known) ? undefined : value;
  if (depth === 0) return value;
  if (Array.isArray(value)) {
    const left = value
      .map((item) => removeKnown(item, undefined, known, depth - 1))
      .filter((item) => item !== undefined);
    return left.length > 0 ? left : undefined;
  }
  if (!isRecord(value)) return value;
  const left = Object.entries(value)
    .map(([name, inner]) => [name, removeKnown(inner, name, known, depth - 1)] as const)
    .filter(([, inner]) => inner !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function isKnown(value: unknown, field: string | undefined, known: KnownFields): boolean {
  const fields = known.get(value);
  // A field named like its value, such as `{ "debian-13": "debian-13" }`, adds no information.
  return fields !== undefined && (field === undefined || field === value || fields.has(field));
}

/**
 * Adds the parts of repeated entries that the first entries lack, as the field `duplicates`. No
 * field of the record is overwritten.
 */
export function addDuplicates(record: ServiceRecord, duplicates: unknown): ServiceRecord {
  if (isEmpty(duplicates)) return record;
  return Object.hasOwn(record, 'duplicates') ? { others: record, duplicates } : { ...record, duplicates };
}
