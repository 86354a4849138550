import {
  type FieldAddress,
  type FieldMapping,
  formatAddress,
  listAt,
  parseAddress,
  toMappedNumber,
} from './field-mapping.ts';
import { isPlausible, type KnownValue } from './known-values.ts';
import { convertField, findNameUnit, parseInteger, parseNumber, parseTimeMs } from './quantity.ts';
import {
  detectIpKind,
  isCidr,
  isEmpty,
  listStates,
  normalizeFieldName,
  parseActive,
  parseFlag,
  type Scalar,
  type ServiceRecord,
  toText,
} from './record.ts';
import { listOwners } from './vps-name.ts';

/** The content of a field that may be a known value. */
export interface Candidate {
  readonly path: FieldAddress;
  readonly value: Scalar;
}

export interface Place {
  readonly record: ServiceRecord;
  readonly address: FieldAddress;
}

/** The fields in which a known value was found, and its contents. */
export interface FoundValue {
  readonly fields: Set<string>;
  readonly contents: Scalar[];
  /** Whether no other field has different content for this value. */
  isCertain: boolean;
}

/** Finds known values in a payload's records, by the table's field names or people's field mappings. */
export interface Matcher {
  mappingOf(known: KnownValue): FieldMapping | undefined;
  /**
   * Returns a value in a record, from the field that a person chose or the first candidate. By default, the
   * candidates are the fields that the table names.
   */
  read(known: KnownValue, place: Place, candidates?: readonly Candidate[]): Scalar | undefined;
  text(known: KnownValue, place: Place, candidates?: readonly Candidate[]): string | undefined;
  number(known: KnownValue, place: Place, candidates?: readonly Candidate[]): number | undefined;
  flag(known: KnownValue, place: Place, candidates?: readonly Candidate[]): boolean | undefined;
  /** Records a found value and, unless the value is an entry's name, its field. */
  note(known: KnownValue, address: FieldAddress | undefined, content: Scalar, isCertain?: boolean): void;
  /** Returns a matcher that records nothing, for records that may not be entries after all. */
  withoutNotes(): Matcher;
}

interface Context {
  readonly mappings: readonly FieldMapping[];
  /** The found values by ID. Undefined if found values aren't recorded. */
  readonly found?: Map<string, FoundValue>;
}

/** Contexts by payload, for payloads with field mappings or recorded values. */
const contexts = new WeakMap<object, Context>();

/** Returns a copy of a payload whose mapped values are read from the fields that a person chose. */
export function applyMappings<Data>(data: Data, mappings: readonly FieldMapping[]): Data {
  if (typeof data !== 'object' || data === null || mappings.length === 0) return data;
  const copy = Array.isArray(data) ? [...data] : { ...data };
  contexts.set(copy, { mappings });
  return copy as Data;
}

/** Returns a copy of a payload, and a map that collects the values found in the copy. */
export function recordValues<Data extends object>(
  data: Data,
): { readonly copy: Data; readonly found: ReadonlyMap<string, FoundValue> } {
  const found = new Map<string, FoundValue>();
  const copy = (Array.isArray(data) ? [...data] : { ...data }) as Data;
  contexts.set(copy, { mappings: contexts.get(data)?.mappings ?? [], found });
  return { copy, found };
}

export function openMatcher(data: unknown): Matcher {
  const context = typeof data === 'object' && data !== null ? contexts.get(data) : undefined;
  const mappings = new Map((context?.mappings ?? []).map((mapping) => [mapping.value, mapping]));
  return createMatcher(mappings, context?.found);
}

function createMatcher(mappings: ReadonlyMap<string, FieldMapping>, found: Context['found']): Matcher {
  const note: Matcher['note'] = (known, address, content, isCertain = true) => {
    if (!found) return;
    const own = found.get(known.id) ?? { fields: new Set(), contents: [], isCertain: true };
    if (address) own.fields.add(formatAddress(address));
    own.contents.push(content);
    own.isCertain &&= isCertain;
    found.set(known.id, own);
  };

  const read: Matcher['read'] = (known, place, candidates = listCandidates(known, place.record)) => {
    const mapping = mappings.get(known.id);
    const [first, ...others] = candidates;
    const value = mapping ? readMapped(known, mapping, place) : first?.value;
    if (value === undefined || !found) return value;
    const isCertain =
      mapping !== undefined || known.type === 'names' || others.every((other) => other.value === value);
    const address = mapping ? parseAddress(mapping.field) : [...place.address, ...(first?.path ?? [])];
    note(known, address, value, isCertain);
    return value;
  };

  return {
    mappingOf: (known) => mappings.get(known.id),
    read,
    text: (...args) => toText(read(...args)),
    number: (...args) => {
      const value = read(...args);
      return typeof value === 'number' ? value : undefined;
    },
    flag: (...args) => {
      const value = read(...args);
      return typeof value === 'boolean' ? value : undefined;
    },
    note,
    withoutNotes: () => createMatcher(mappings, undefined),
  };
}

/** Reads a value from the field that a person chose, which must be in the record. */
function readMapped(known: KnownValue, { field, unit }: FieldMapping, place: Place): Scalar | undefined {
  const address = parseAddress(field) ?? [];
  const isInside = place.address.every((part, index) => part === address[index]);
  const [content] = isInside ? listAt(place.record, address.slice(place.address.length)) : [];
  const name = address.at(-1) ?? '';
  if (isEmpty(content)) return undefined;
  if (known.type === 'number') return toMappedNumber(known, { name, content }, unit);
  if (known.type === 'flag') return parseActive(content);
  return known.type === 'time' ? parseContent(known, content, name) : toText(content);
}

/** Lists the contents of a record that may be a value, by the table's field names, most likely first. */
export function listCandidates(known: KnownValue, record: ServiceRecord): readonly Candidate[] {
  if (known.type === 'state') return listStates(record, known.endpoint !== 'listSnapshots');
  if (known.type === 'vps') return listOwners(record);
  return listTableFields(known, record).flatMap(({ field, content }) => {
    const value = parseContent(known, content, field);
    return value === undefined ? [] : [{ path: [field], value }];
  });
}

/** Lists the non-empty fields of a record that the table names for a value, most likely first. */
export function listTableFields(
  known: KnownValue,
  record: ServiceRecord,
): readonly { readonly field: string; readonly content: unknown }[] {
  return Object.entries(record)
    .map(([field, content]) => ({ field, content, rank: isEmpty(content) ? -1 : rankField(known, field) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank);
}

/** Returns the position of a field's name among the table's names, or -1. The name of an amount can end in a unit. */
function rankField({ fields, unit }: KnownValue, field: string): number {
  const rank = fields.indexOf(normalizeFieldName(field));
  if (rank >= 0 || unit !== 'bytes') return rank;
  const name = findNameUnit(field)?.name;
  return name === undefined ? -1 : fields.indexOf(normalizeFieldName(name));
}

/** Parses a field's content. Returns undefined if it can't be this value. */
export function parseContent(known: KnownValue, content: unknown, field: string): Scalar | undefined {
  const { type, unit, plausible } = known;
  if (type === 'time') return parseTimeMs(content);
  if (type === 'flag') return parseFlag(content);
  if (type === 'address') return typeof content === 'string' && detectIpKind(content) ? content : undefined;
  if (type === 'range') return isCidr(content) ? content : undefined;
  if (type !== 'number') return toText(content);
  if (unit === undefined)
    return plausible ? parseInteger(content, plausible.min, plausible.max) : parseNumber(content);
  const number = convertField(field, content, unit);
  return number !== undefined && isPlausible(known, number) ? number : undefined;
}
