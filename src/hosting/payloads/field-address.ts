import { detectIpKind } from './addresses.ts';
import { isRecord, type ServiceRecord } from './record.ts';
import { isVpsName } from './vps-name.ts';

/**
 * Where a field is in a payload, outermost first. Contains field names, `[]` for every item of a
 * list, and `{}` for every entry of a map by name.
 */
export type FieldAddress = readonly string[];

const plainNamePattern = /^[\p{L}\p{N}_:-]+$/u;
const partPattern = /\[\]|\{\}|"(?:[^"\\]|\\.)*"|[^.[\]{}"]+/gu;

/** Formats an address for people: `vps[].power.state`. Unusual names are quoted. */
export function formatAddress(address: FieldAddress): string {
  return address.reduce((text, part) => {
    if (isContainerPart(part)) return `${text}${part}`;
    const name = plainNamePattern.test(part) ? part : JSON.stringify(part);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** Returns whether a part of an address means all items of a list or all entries of a map. */
export function isContainerPart(part: string | undefined): boolean {
  return part === '[]' || part === '{}';
}

/** Parses a formatted address. Returns undefined for anything else. */
export function parseAddress(text: string): FieldAddress | undefined {
  try {
    const parts = text.match(partPattern) ?? [];
    const address = parts.map((part) => (part.startsWith('"') ? String(JSON.parse(part)) : part));
    return address.length > 0 && formatAddress(address) === text ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Lists the values directly inside a list or object, with their part of the address. */
export function listParts(value: object): readonly (readonly [part: string, key: string, inner: unknown])[] {
  const entries = Object.entries(value);
  const part = Array.isArray(value)
    ? '[]'
    : isRecord(value) && isMapByName(value, entries)
      ? '{}'
      : undefined;
  return entries.map(([key, inner]) => [part ?? key, key, inner]);
}

/** Returns whether the keys of an object are names of entries rather than fields. */
function isMapByName(record: ServiceRecord, entries: readonly (readonly [string, unknown])[]): boolean {
  const isName = (key: string) => isVpsName(key) || /^[\d-]+$/.test(key) || detectIpKind(key) !== undefined;
  if (entries.length > 0 && entries.every(([key]) => isName(key))) return true;
  const [first, ...others] = Object.values(record).map((value) =>
    isRecord(value) ? Object.keys(value).toSorted().join('\n') : undefined,
  );
  return others.length > 0 && !!first?.includes('\n') && others.every((shape) => shape === first);
}

/** Returns the values at an address inside a value. */
export function listAt(value: unknown, [part, ...rest]: FieldAddress): readonly unknown[] {
  if (part === undefined) return [value];
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (part === '[]')) return [];
  const inner = isContainerPart(part) ? Object.values(value) : [(value as ServiceRecord)[part]];
  return inner.flatMap((each) => listAt(each, rest));
}
