import { isIP } from 'node:net';

/** An object from the service, left unchanged. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** A single value in a payload. */
export type Scalar = string | number | boolean;

export function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is null, undefined, or an empty string, list or object. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined || value === '';
  if (Array.isArray(value)) return value.length === 0;
  // Avoids listing the keys, which takes long for a large record.
  for (const _field in value) return false;
  return true;
}

/** Maximum length of a field name that is normalized. */
const maxFieldChars = 200;

/** Normalizes the spelling of a field name: `created_at`, `createdAt` and `Created-At` become `createdat`. */
export function normalizeFieldName(field: string): string {
  if (/^[a-z\d]*$/.test(field) || field.length > maxFieldChars) return field;
  return field.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

interface RecordField {
  readonly field: string;
  readonly value: unknown;
}

/** Returns the non-empty fields with these normalized names, in the order of `names`. */
export function findFields(record: ServiceRecord, names: readonly string[]): readonly RecordField[] {
  const found: (RecordField & { readonly rank: number })[] = [];
  // A loop is faster, and a list can have 10,000 records.
  for (const field of Object.keys(record)) {
    const rank = names.indexOf(normalizeFieldName(field));
    const value = record[field];
    if (rank >= 0 && !isEmpty(value)) found.push({ field, value, rank });
  }
  return found.length > 1 ? found.sort((a, b) => a.rank - b.rank) : found;
}

/** Returns the non-empty values of fields with these normalized names, in the order of `names`. */
export function findValues(record: ServiceRecord, names: readonly string[]): unknown[] {
  return findFields(record, names).map(({ value }) => value);
}

/** Returns the first string or number among the fields with these normalized names, as a string. */
export function findText(record: ServiceRecord, names: readonly string[]): string | undefined {
  return findValues(record, names)
    .map(toText)
    .find((text) => text !== undefined);
}

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

/** The same fields, but those that can be undefined are optional instead. */
type Known<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

export function omitUndefined<Fields extends object>(fields: Fields): Known<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Known<Fields>;
}

/** Returns the rest of a payload as a record. */
export function toOtherFields(rest: unknown): ServiceRecord {
  if (isRecord(rest)) return rest;
  return isEmpty(rest) ? {} : { others: rest };
}

/** Splits the words of a declaration: `'name title'` is `['name', 'title']`. */
export function words(list: string): readonly string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}

/** Returns the kind of an address or CIDR range, or undefined for anything else. */
export function detectIpKind(value: unknown): 'ipv4' | 'ipv6' | undefined {
  if (typeof value !== 'string') return undefined;
  const [address = '', prefix, ...more] = value.trim().split('/');
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

export function isCidr(value: unknown): value is string {
  return typeof value === 'string' && value.includes('/') && detectIpKind(value) !== undefined;
}

/**
 * Moves a resource object's attributes into the object, as in JSON:API: `{ type: 'servers', id: '1', attributes:
 * { … }, relationships: { … } }`. Some services call the attributes `properties`, and keep times and states in
 * `metadata`.
 */
export function unwrapResources(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map(unwrapResources);
  const inner = Object.entries(data).map(([field, value]) => [field, unwrapResources(value)]);
  return unwrapResource(Object.fromEntries(inner));
}

function unwrapResource(record: ServiceRecord): ServiceRecord {
  const { type, attributes, properties, metadata, relationships, ...own } = record;
  const content = isRecord(attributes) ? attributes : isRecord(metadata) ? properties : undefined;
  if (typeof type !== 'string' || !('id' in record) || !isRecord(content)) return record;
  const related = Object.entries(isRecord(relationships) ? relationships : {}).map(([name, value]) => [
    name,
    isRecord(value) ? value.data : value,
  ]);
  // The resource's type is renamed, because the attributes can have a field named `type` too.
  return {
    ...Object.fromEntries(related),
    ...(isRecord(metadata) && metadata),
    ...own,
    resourceType: type,
    ...content,
  };
}

export interface FoundText {
  readonly path: readonly string[];
  readonly value: string;
}

/** Normalized names of fields that contain a state. Those for the power state are last. */
const stateFields = words(
  'state status vmstate vmstatus vmstat vestatus vpsstatus runstate serverstate realstatus powerstate powerstatus',
);
/** Normalized names of objects that contain a VPS's state. */
const stateGroups = words(
  'power runtime instance vps vm guest virtualmachine properties remotestate liveinfo serverliveinfo',
);

/** Matches words about an account or a reply rather than the power state. */
const generalState = /^(active|ok|enabled|ready|available|provisioned|deployed|success(ful)?|true|\d+)$/i;

/** Returns whether a field contains a state. `group` is the object that contains the field, if any. */
export function isStateField(field: string, group?: string): boolean {
  const name = normalizeFieldName(field);
  if (stateFields.includes(name)) return true;
  if (group === undefined) return name === 'power';
  return stateFields.includes(normalizeFieldName(group)) && name === 'name';
}

/** Returns whether an object with this name can contain a VPS's state. */
export function isStateGroup(field: string): boolean {
  const name = normalizeFieldName(field);
  return stateGroups.includes(name) || stateFields.includes(name);
}

/**
 * Sorts states, best first. Prefers a word about the power state to a general one, such as `active` beside
 * `power_status: stopped`. Leaves out words that are only about the response.
 */
export function sortStates<State extends FoundText>(states: readonly State[]): readonly State[] {
  const rankOf = ({ path, value }: State) => {
    const index = stateFields.indexOf(normalizeFieldName(path.at(-1) ?? ''));
    return (generalState.test(value) ? 100 : 0) + (index === -1 ? stateFields.length : index);
  };
  return states.filter(({ value }) => !/^success$/i.test(value)).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Finds a record's state, in the service's own words. */
export function findState(record: ServiceRecord): string | undefined {
  return listStates(record, false)[0]?.value;
}

/** Finds a VPS's state, which can be in an object such as `power` or `runtime`. */
export function findVpsState(record: ServiceRecord): string | undefined {
  return listStates(record, true)[0]?.value;
}

/** Lists the states in a record, best first. A VPS's states can be in objects such as `power`. */
export function listStates(record: ServiceRecord, isVps: boolean): readonly FoundText[] {
  const states = collectStates(record, [], isVps);
  return isVps || states.length > 1 ? sortStates(states) : states;
}

const maxDepth = 3;

function collectStates(record: ServiceRecord, path: readonly string[], isVps: boolean): readonly FoundText[] {
  return Object.entries(record).flatMap(([field, value]): readonly FoundText[] => {
    const inner = [...path, field];
    if (isRecord(value)) {
      const isGroup = isVps ? isStateGroup(field) : stateFields.includes(normalizeFieldName(field));
      return path.length < maxDepth && isGroup ? collectStates(value, inner, isVps) : [];
    }
    return isStateWord(value) && isStateField(field, path.at(-1)) ? [{ path: inner, value }] : [];
  });
}

/** Returns whether a value can be a state. Excludes markup, which some panels send. */
export function isStateWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/^\s*</.test(value);
}
