import { isPlausible, type KnownValue } from './known-values.ts';
import { convertField, type Dimension, parseNumber } from './quantity.ts';
import { detectIpKind, isRecord, type ServiceRecord } from './record.ts';
import { isVpsName } from './vps-name.ts';

/**
 * A field's location in a payload, outermost first: field names, `[]` for every item of a list, and `{}` for
 * every entry of a map by name.
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

/** Returns whether an address part stands for all items in a list or all entries in a map. */
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

/** Lists the values directly inside a list or object, with their address parts. */
export function listParts(value: object): readonly (readonly [part: string, key: string, inner: unknown])[] {
  const entries = Object.entries(value);
  const part = Array.isArray(value)
    ? '[]'
    : isRecord(value) && isMapByName(value, entries)
      ? '{}'
      : undefined;
  return entries.map(([key, inner]) => [part ?? key, key, inner]);
}

/** Returns whether an object's keys are entry names rather than field names. */
function isMapByName(record: ServiceRecord, entries: readonly (readonly [string, unknown])[]): boolean {
  const isName = (key: string) => isVpsName(key) || /^[\d-]+$/.test(key) || detectIpKind(key) !== undefined;
  if (entries.length > 0 && entries.every(([key]) => isName(key))) return true;
  const [first, ...others] = Object.values(record).map((value) =>
    isRecord(value) ? Object.keys(value).toSorted().join('\n') : undefined,
  );
  return others.length > 0 && !!first?.includes('\n') && others.every((shape) => shape === first);
}

export function listAt(value: unknown, [part, ...rest]: FieldAddress): readonly unknown[] {
  if (part === undefined) return [value];
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (part === '[]')) return [];
  const inner = isContainerPart(part) ? Object.values(value) : [(value as ServiceRecord)[part]];
  return inner.flatMap((each) => listAt(each, rest));
}

export const mappingUnits = ['percent', 'fraction', 'bytes', 'kb', 'mb', 'gb', 'tb', 'kbps', 'mbps'] as const;

/** The field that a person chose for a known value. */
export interface FieldMapping {
  /** ID of the known value. */
  readonly value: string;
  /** The field's address. Empty to hide the value. */
  readonly field: string;
  /** The field's unit if the service doesn't name it, such as `percent` or `mb`. */
  readonly unit?: string | undefined;
}

/**
 * Converts a mapped field's content to a known value. Returns undefined if the unit is unknown or the result is
 * implausible.
 */
export function toMappedNumber(
  known: KnownValue,
  { name, content }: { readonly name: string; readonly content: unknown },
  statedUnit: string | undefined,
): number | undefined {
  const { unit } = known;
  const convert = (dimension: Dimension) => convertField(name, content, dimension, statedUnit);
  // A unit such as MB can also mean MB per second. The person who chose the field knows which one is
  // meant.
  const amount = () => (unit === 'bytesPerSecond' ? convert('bytes') : undefined);
  const number = unit === undefined ? parseNumber(content) : (convert(unit) ?? amount());
  return number !== undefined && isPlausible(known, number) ? number : undefined;
}
