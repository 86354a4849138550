import { isSecretFieldName } from '../secret-detection.ts';
import {
  type FieldAddress,
  type FieldMapping,
  formatAddress,
  isContainerPart,
  listParts,
  parseAddress,
} from './field-mapping.ts';
import type { KnownValue } from './known-values.ts';
import type { Matcher } from './matcher.ts';
import { isBesideList } from './pages.ts';
import { parseNumber } from './quantity.ts';
import { isEmpty, isRecord, normalizeFieldName, type ServiceRecord, toOtherFields } from './record.ts';
import { isVpsName } from './vps-name.ts';

/** An entry in a payload's list or map, or a single record where a list was expected. */
export interface Entry {
  readonly record: ServiceRecord;
  /** The entry's field name, or its key in a map. Undefined in a list. */
  readonly key: string | undefined;
  /** Names of the fields around the entry, outermost first. */
  readonly groups: readonly string[];
  /** The record around the entry. */
  readonly outer: ServiceRecord | undefined;
  /** Whether the name of a field around the entry matches `listNames`. */
  readonly isInList: boolean;
  readonly address: FieldAddress;
}

export interface EntryKind {
  /** Matches normalized names of fields that contain entries of this kind. */
  readonly listNames: RegExp;
  /** Returns whether a record is an entry of this kind, regardless of the fields around it. */
  readonly isCertain: (entry: Entry, matcher: Matcher) => boolean;
  /** Returns whether a record in a list with a matching or generic name is an entry of this kind. Defaults to false. */
  readonly isPossible?: (entry: Entry, matcher: Matcher) => boolean;
  /**
   * Set if an entry for which `isCertain` returns true can't be anything else, so the name of its list
   * doesn't matter.
   */
  readonly isUnmistakable?: true;
  /** Converts an entry that isn't an object to a record. */
  readonly toRecord?: (value: unknown, place: Omit<Entry, 'record'>) => ServiceRecord | undefined;
  readonly matcher: Matcher;
  /**
   * The known value that names an entry. If a person has mapped it to a field, only the records at that field's
   * location are entries.
   */
  readonly name: KnownValue;
}

export interface FoundEntries {
  readonly entries: readonly Entry[];
  /** The payload without the entries and whatever became empty. */
  readonly otherFields: ServiceRecord;
}

const maxDepth = 7;
/** Matches normalized names of fields that can contain any list. */
const genericNames = /^(items|data|results?|list|entries|records|rows|values|content|objects|elem|vps)$/;

interface Hit {
  readonly entry: Entry;
  /** The list or object that contains the entry, and the entry's key there. */
  readonly holder: object;
  readonly holderKey: string;
  /** Lower ranks win. */
  readonly rank: number;
}

/**
 * Finds entries at any depth in a payload: in arrays, in maps by name or group, or as single records.
 * Entries in a list whose name matches win over entries in other lists.
 */
export function findEntries(data: unknown, kind: EntryKind): FoundEntries {
  const hits: Hit[] = [];
  const trial = { ...kind, matcher: kind.matcher.withoutNotes() };
  const mapping = kind.matcher.mappingOf(kind.name);
  const mapped = mapping && toEntryAddress(mapping);

  function visit(value: unknown, place: Omit<Entry, 'record'>, holder: object, holderKey: string) {
    const record = isRecord(value) ? value : kind.toRecord?.(value, place);
    const entry = record && { ...place, record };
    const rank = entry && toRank(entry, trial, mapped);
    if (entry && rank !== undefined) hits.push({ entry, rank, holder, holderKey });
    else if (typeof value === 'object' && value !== null && place.address.length <= maxDepth)
      visitInner(value, place);
  }

  function visitInner(value: object, place: Omit<Entry, 'record'>) {
    const groups = place.key === undefined ? place.groups : [...place.groups, place.key];
    const isInList = place.isInList || kind.listNames.test(normalizeFieldName(place.key ?? ''));
    for (const [part, name, inner] of listCandidateParts(value, kind)) {
      const around = isRecord(value) ? { key: name, outer: value } : { key: undefined, outer: place.outer };
      visit(inner, { ...around, groups, isInList, address: [...place.address, part] }, value, name);
    }
  }

  const root = { data };
  const start = { key: undefined, groups: [], outer: undefined, isInList: false, address: [] };
  visit(data, start, root, 'data');
  const best = hits.reduce((rank, hit) => Math.min(rank, hit.rank), Number.POSITIVE_INFINITY);
  const chosen = hits.filter(({ rank }) => rank === best);
  const taken = new Map<object, Set<string>>();
  for (const { holder, holderKey } of chosen)
    taken.set(holder, (taken.get(holder) ?? new Set()).add(holderKey));
  return {
    entries: chosen.map(({ entry }) => entry),
    otherFields: toOtherFields(taken.has(root) ? undefined : removeParts(data, taken)),
  };
}

/** Lists the values directly inside a value that can be or contain entries. */
function listCandidateParts(value: object, { toRecord }: EntryKind): ReturnType<typeof listParts> {
  // A secret is recognized only by its field name. Its value can look like an entry's name: `db.credentials`.
  const parts = listParts(value).filter(([, key]) => Array.isArray(value) || !isSecretFieldName(key));
  return toRecord ? parts : parts.filter(([, , each]) => typeof each === 'object');
}

/** Returns the rank of an entry, or undefined if it can't be one. */
function toRank(entry: Entry, kind: EntryKind, mapped: string | undefined): number | undefined {
  const { isCertain, isPossible = () => false, isUnmistakable, matcher } = kind;
  if (mapped !== undefined) return formatAddress(entry.address) === mapped ? ranks.certain : undefined;
  if (isCertain(entry, matcher)) return isUnmistakable || entry.isInList ? ranks.named : ranks.certain;
  if (!isPossible(entry, matcher)) return undefined;
  if (entry.isInList) return ranks.named;
  const listName = normalizeFieldName(entry.groups.at(-1) ?? '');
  const isGeneric =
    entry.address.at(-1) === '[]' && (entry.groups.length === 0 || genericNames.test(listName));
  return isGeneric ? ranks.generic : undefined;
}

/**
 * Entries in a list with a matching name win over certain entries elsewhere, unless those entries can't be
 * anything else.
 */
const ranks = { named: 1, certain: 2, generic: 3 } as const;

/** Returns the formatted address of entries that contain a mapped field. */
function toEntryAddress({ field }: FieldMapping): string {
  const address = parseAddress(field) ?? [];
  return formatAddress(address.slice(0, address.findLastIndex(isContainerPart) + 1));
}

/** Returns a value without the parts in `taken`, which maps each list or record to its parts to remove. */
function removeParts(
  value: unknown,
  taken: ReadonlyMap<object, ReadonlySet<string>>,
  depth = maxDepth + 1,
): unknown {
  // Entries aren't searched for any deeper.
  if (depth < 0 || typeof value !== 'object' || value === null || isEmpty(value)) return value;
  const left = Object.entries(value)
    .filter(([key]) => !taken.get(value)?.has(key))
    .map(([key, inner]) => [key, removeParts(inner, taken, depth - 1)] as const)
    .filter(([, inner]) => inner !== undefined);
  if (left.length === 0) return undefined;
  return Array.isArray(value) ? left.map(([, inner]) => inner) : Object.fromEntries(left);
}

const countName = /^(count|total|totalcount|totalitems|number)$/;

/**
 * Returns whether a payload says that there are no entries: an empty list or map with only paging and quota
 * fields beside it. Anything else may be entries that Rackhand can't read.
 */
export function saysNone(data: unknown, depth = 4): boolean {
  if (isEmpty(data)) return typeof data === 'object' && data !== null;
  return hasEmptyList(data, depth) && hasNoEntries(isRecord(data) ? withoutTexts(data) : data, depth);
}

function hasEmptyList(data: unknown, depth: number): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return isEmpty(data) || (depth > 0 && Object.values(data).some((inner) => hasEmptyList(inner, depth - 1)));
}

/** Removes texts and numbers that describe a list, but keeps entry counts. */
function withoutTexts(data: ServiceRecord): ServiceRecord {
  const isKept = ([field, value]: [string, unknown]) =>
    typeof value === 'object' || countName.test(normalizeFieldName(field)) || isVpsName(field);
  return Object.fromEntries(Object.entries(data).filter(isKept));
}

/** Returns whether a value contains no entries. Beside a list, only a count of entries shows that there are entries. */
function hasNoEntries(data: unknown, depth: number, isBeside = false): boolean {
  if (isEmpty(data)) return true;
  if (!isRecord(data) || depth < 0) return isBeside || (Array.isArray(data) && data.every(isEmpty));
  return Object.entries(data).every(([field, value]) => {
    const name = normalizeFieldName(field);
    if (countName.test(name) && typeof value !== 'object') return (parseNumber(value) ?? 0) <= 0;
    const isKnown = isBeside || name === 'vpsname' || isBesideList(field, value);
    return !isVpsName(field) && hasNoEntries(value, depth - 1, isKnown);
  });
}
