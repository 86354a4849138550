/** An object from the service, left unchanged. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** A single value in a payload. */
export type Scalar = string | number | boolean;

/** Returns whether a value is an object and not a list. */
export function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is null, undefined, or an empty string, list or object. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined || value === '';
  if (Array.isArray(value)) return value.length === 0;
  // Listing the keys of a large record takes long.
  for (const _field in value) return false;
  return true;
}

/** Longer names mean nothing to Rackhand. */
const maxFieldChars = 200;

/**
 * Normalizes the spelling of a field name: `created_at`, `createdAt` and `Created-At` become
 * `createdat`.
 */
export function normalizeFieldName(field: string): string {
  if (/^[a-z\d]*$/.test(field) || field.length > maxFieldChars) return field;
  return field.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

interface RecordField {
  readonly field: string;
  readonly value: unknown;
}

/** Returns the non-empty fields with these normalized names, in the order of the names. */
export function findFields(record: ServiceRecord, names: readonly string[]): readonly RecordField[] {
  const found: (RecordField & { readonly rank: number })[] = [];
  // A loop, because a list can have 10,000 records.
  for (const field of Object.keys(record)) {
    const rank = names.indexOf(normalizeFieldName(field));
    const value = record[field];
    if (rank >= 0 && !isEmpty(value)) found.push({ field, value, rank });
  }
  return found.length > 1 ? found.sort((a, b) => a.rank - b.rank) : found;
}

/** Returns the non-empty values of the fields with these normalized names, in the order of the names. */
export function findValues(record: ServiceRecord, names: readonly string[]): unknown[] {
  return findFields(record, names).map(({ value }) => value);
}

/** Returns the first string or number among the fields with these normalized names, as a string. */
export function findText(record: ServiceRecord, names: readonly string[]): string | undefined {
  return findValues(record, names)
    .map(toText)
    .find((text) => text !== undefined);
}

/** Returns a non-empty string, or a finite number as a string. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Parses a flag: a boolean, 1 or 0, or a word such as `yes`. Returns undefined for anything else. */
export function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (/^(true|yes|on|1|y)$/i.test(text)) return true;
  return /^(false|no|off|0|n)$/i.test(text) ? false : undefined;
}

/** Parses whether something is active: a flag, or a word such as `enabled`. */
export function parseActive(value: unknown): boolean | undefined {
  if (typeof value === 'string') {
    if (/^(active|activated|enabled|ready|ok|running|up|available)$/i.test(value)) return true;
    if (/^(inactive|not[ _-]?active|deactivated|disabled|none|down|unavailable)$/i.test(value)) return false;
  }
  return parseFlag(value);
}

/** The same fields, except that those which can be undefined are missing instead. */
type Known<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Returns an object without the fields that are undefined. */
export function omitUndefined<Fields extends object>(fields: Fields): Known<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Known<Fields>;
}

/** Wraps what remains of a payload in a record. */
export function toOtherFields(rest: unknown): ServiceRecord {
  if (isRecord(rest)) return rest;
  return isEmpty(rest) ? {} : { others: rest };
}

/** Splits the words of a declaration: `'name title'` is `['name', 'title']`. */
export function words(list: string): readonly string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}
