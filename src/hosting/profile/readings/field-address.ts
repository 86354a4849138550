import { detectIpKind } from '../values/addresses.ts';
import { isRecord, isVpsName, type ServiceRecord } from '../values/records.ts';

/**
 * Where a field is in a payload, outermost first. Contains field names, `[]` for every item of a
 * list, and `{}` for every entry of a map by name.
 */
export type FieldAddress = readonly string[];

/** The parts of an address for every item of a list, and for every entry of a map by name. */
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

/** Returns whether a part of an address means all items of a list or all entries of a map. */
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

/** Calls `visit` for each single value at an address, with the lists and records around it. */
export function visitAddress(
  data: unknown,
  [part, ...rest]: FieldAddress,
  visit: (value: unknown, around: readonly object[]) => void,
  around: readonly object[] = [],
): void {
  if (part === undefined) {
    const isSingle = typeof data !== 'object' && data !== undefined;
    if (isSingle) visit(data, around);
    return;
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data) !== (part === item)) return;
  const inner = isContainerPart(part) ? Object.values(data) : [(data as ServiceRecord)[part]];
  for (const value of inner) visitAddress(value, rest, visit, [...around, data]);
}

/** Returns whether a payload has a value at an address. */
export function hasValueAt(data: unknown, address: FieldAddress): boolean {
  let isFound = false;
  visitAddress(data, address, () => {
    isFound = true;
  });
  return isFound;
}

/** Returns the address of each list and record in a payload. */
export function mapAddresses(data: unknown, hasLists: boolean): ReadonlyMap<object, FieldAddress> {
  const addresses = new Map<object, FieldAddress>();
  const visit = (value: unknown, address: FieldAddress): void => {
    if (typeof value !== 'object' || value === null || address.length > maxDepth) return;
    addresses.set(value, address);
    for (const [part, inner] of listParts(value, hasLists)) visit(inner, [...address, part]);
  };
  visit(data, []);
  return addresses;
}

/** How many entries of a list, and characters of a string, are enough to understand them. */
const sampleSize = 5;
const sampleChars = 200;

/** Returns a payload that contains only the first entries of each list and the beginning of each string. */
export function takeSample(data: unknown, hasLists: boolean, depth = maxDepth): unknown {
  if (typeof data === 'string') return data.slice(0, sampleChars);
  if (depth === 0) return null;
  if (Array.isArray(data))
    return data.slice(0, sampleSize).map((each) => takeSample(each, hasLists, depth - 1));
  if (!isRecord(data)) return data;
  const entries = Object.entries(data);
  const shown = entries.slice(0, hasLists && isMapByName(data) ? sampleSize : maxFields);
  return Object.fromEntries(shown.map(([key, value]) => [key, takeSample(value, hasLists, depth - 1)]));
}
