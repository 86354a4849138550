import { detectIpKind } from '../values/addresses.ts';
import { isRecord, isVpsName, type ServiceRecord } from '../values/records.ts';

/**
 * Where a field is in a payload, outermost first. Contains field names, `[]` for every item of a
 * list, and `{}` for every entry of a map by name.
 */
export type FieldAddress = readonly string[];

/** Stand for every item of a list, and for every entry of a map by name. */
const [item, entry] = ['[]', '{}'];

const plainNamePattern = /^[\p{L}\p{N}_:-]+$/u;

/** Formats an address for people: `vps[].power.state`. Unusual names are quoted. */
export function formatAddress(address: FieldAddress): string {
  return address.reduce((text, part) => {
    if (isContainerPart(part)) return `${text}${part}`;
    const name = plainNamePattern.test(part) ? part : JSON.stringify(part);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

const partPattern = /\[\]|\{\}|"(?:[^"\\]|\\.)*"|[^.[\]{}"]+/gu;

/** Parses a formatted address. Returns undefined for anything else. */
export function parseAddress(text: string): FieldAddress | undefined {
  const parts = text.match(partPattern)?.map((part) => (part.startsWith('"') ? parseQuoted(part) : part));
  if (parts === undefined || parts.includes(undefined)) return undefined;
  const address = parts.flatMap((part) => part ?? []);
  return formatAddress(address) === text ? address : undefined;
}

function parseQuoted(part: string): string | undefined {
  try {
    return String(JSON.parse(part));
  } catch {
    return undefined;
  }
}

/** Returns whether a part of an address stands for all items of a list or entries of a map. */
export function isContainerPart(part: string | undefined): boolean {
  return part === item || part === entry;
}

/** A single value of a payload, with its address. */
export interface Field {
  readonly address: FieldAddress;
  /** The values at this address, in the payload's order. */
  readonly values: readonly unknown[];
}

const maxDepth = 8;
/** Maximum number of fields from which a payload is understood. */
const maxFields = 80;

/**
 * Lists the fields of a payload that contain single values. If the payload can contain lists,
 * records with the same shape under different names count as one map.
 */
export function listFields(data: unknown, hasLists: boolean): readonly Field[] {
  const found = new Map<string, { address: FieldAddress; values: unknown[] }>();
  const visit = (value: unknown, address: FieldAddress): void => {
    if (address.length > maxDepth || value === null || value === undefined) return;
    if (typeof value === 'object') {
      for (const [part, inner] of listParts(value, hasLists)) visit(inner, [...address, part]);
      return;
    }
    const key = formatAddress(address);
    const field = found.get(key) ?? { address, values: [] };
    field.values.push(value);
    if (found.size < maxFields) found.set(key, field);
  };
  visit(data, []);
  return [...found.values()];
}

/** Lists the values directly inside a list or object, with their part of the address. */
function listParts(value: object, hasLists: boolean): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((each: unknown) => [item, each] as const);
  const isMap = hasLists && isRecord(value) && isMapByName(value);
  return Object.entries(value).map(([key, each]) => [isMap ? entry : key, each] as const);
}

/** Returns whether the keys of an object are names of entries rather than fields. */
function isMapByName(record: ServiceRecord): boolean {
  const keys = Object.keys(record);
  if (keys.length === 0) return false;
  if (keys.every((key) => isVpsName(key) || /^[\d-]+$/.test(key) || detectIpKind(key) !== undefined))
    return true;
  const [first, ...others] = Object.values(record).map((value) =>
    isRecord(value) ? Object.keys(value).toSorted().join('\n') : undefined,
  );
  return others.length > 0 && !!first?.includes('\n') && others.every((shape) => shape === first);
}

/** Marks a value that must be removed from its list or object. */
const removed = Symbol('removed');

/** Returns the payload with each value at the address converted. */
function transformAt(
  value: unknown,
  [part, ...rest]: FieldAddress,
  convert: (value: unknown) => unknown,
): unknown {
  if (part === undefined) return convert(value);
  if (part === item) {
    if (!Array.isArray(value)) return value;
    return value.map((each: unknown) => transformAt(each, rest, convert)).filter((each) => each !== removed);
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    ([key, each]) => [key, part === entry || key === part ? transformAt(each, rest, convert) : each] as const,
  );
  return Object.fromEntries(entries.filter(([, each]) => each !== removed));
}

/** Returns the payload without the values at an address. */
export function removeField(data: unknown, address: FieldAddress): unknown {
  const left = transformAt(data, address, () => removed);
  return left === removed ? undefined : left;
}

/** Returns the payload with each record at the address converted. */
export function convertRecords(
  data: unknown,
  address: FieldAddress,
  convert: (record: ServiceRecord) => ServiceRecord,
): unknown {
  return transformAt(data, address, (value) => (isRecord(value) ? convert(value) : value));
}

/** Returns the single values at an address, in the payload's order. */
export function findFieldValues(data: unknown, address: FieldAddress): readonly unknown[] {
  const values: unknown[] = [];
  transformAt(data, address, (value) => {
    if (typeof value !== 'object' && value !== undefined) values.push(value);
    return value;
  });
  return values;
}

/** How many entries of a list, and characters of a string, are enough to understand them. */
const sampleSize = 5;
const sampleChars = 200;

/** Returns a payload that contains only the first entries of each list and the beginning of each string. */
export function takeSample(data: unknown, depth = maxDepth): unknown {
  if (typeof data === 'string') return data.slice(0, sampleChars);
  if (depth === 0) return null;
  if (Array.isArray(data)) return data.slice(0, sampleSize).map((each) => takeSample(each, depth - 1));
  if (!isRecord(data)) return data;
  const entries = Object.entries(data);
  const shown = entries.slice(0, isMapByName(data) ? sampleSize : maxFields);
  return Object.fromEntries(shown.map(([key, value]) => [key, takeSample(value, depth - 1)]));
}
