import { type Entry, type EntryKind, findEntries } from './entries.ts';
import { listValues, vpsValues } from './known-values.ts';
import { type Matcher, openMatcher, type Place } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { findFields, findState, isEmpty, isRecord, type ServiceRecord } from './record.ts';
import { findName, isVpsName, listNames, normalizeVpsName } from './vps-name.ts';

/** A VPS as read from a payload whose format isn't documented. */
export interface Vps {
  /** The name as the service writes it, but with the prefix `VPS` in upper case. */
  readonly name: string;
  /** The state in the service's own words, or undefined if none was found. */
  readonly state: string | undefined;
  readonly aliases: VpsAliases;
  readonly record: ServiceRecord;
}

/** A VPS's names other than its VPS name. */
export interface VpsAliases {
  /** Names as the service writes them: hostnames, labels. */
  readonly full: readonly string[];
  /** First labels of hostnames: `web-01` for `web-01.acme.example`. */
  readonly short: readonly string[];
}

export interface VpsList {
  readonly vps: readonly Vps[];
  /** Whether there may be more VPS than the payload contains. */
  readonly hasMore: boolean;
  /** The payload without the list. */
  readonly otherFields: ServiceRecord;
}

/** Lists by payload, cached because each keystroke in a select reads the list, which can have 10,000 VPS. */
const knownLists = new WeakMap<object, { readonly list: VpsList; readonly count: number }>();

/** Reads the list of VPS from an array, a map by name, or groups of those. Returns each VPS only once. */
export function readVpsList(data: unknown): VpsList {
  const isCacheable = typeof data === 'object' && data !== null;
  const known = isCacheable ? knownLists.get(data) : undefined;
  // The client may find out later that a list has no more pages.
  if (known) return { ...known.list, hasMore: hasMorePages(data, known.count) };
  const matcher = openMatcher(data);
  const { entries, otherFields } = findEntries(data, createKind(matcher));
  const items = entries.flatMap((entry) => toVps(entry, matcher));
  const list = { vps: deduplicate(items), hasMore: hasMorePages(data, items.length), otherFields };
  if (isCacheable) knownLists.set(data, { list, count: items.length });
  return list;
}

const listNamePattern = /^(vps|vpslist|vpss|servers?|instances?|machines|vms|virtualmachines?)$/;

function createKind(matcher: Matcher): EntryKind {
  return {
    listNames: listNamePattern,
    isUnmistakable: true,
    matcher,
    name: listValues.names,
    isCertain: (entry, trial) => isVpsName(readName(entry, trial)),
    isPossible: (entry, trial) => readName(entry, trial) !== undefined,
    toRecord(value, { key }) {
      if (key === undefined) return isVpsName(value) ? { name: value } : undefined;
      return isVpsName(key) ? { value } : undefined;
    },
  };
}

function readName(entry: Entry, matcher: Matcher): string | undefined {
  if (!matcher.mappingOf(listValues.names))
    return findName(entry.record, isVpsName(entry.key) ? entry.key : undefined);
  const name = matcher.text(listValues.names, entry);
  return name === undefined ? undefined : normalizeVpsName(name);
}

function toVps(entry: Entry, matcher: Matcher): readonly Vps[] {
  const name = readName(entry, matcher);
  if (name === undefined) return [];
  const path = listNames(entry.record).find(({ value }) => value === name)?.path;
  matcher.note(listValues.names, path && [...entry.address, ...path], name);
  const state = matcher.text(listValues.listState, entry);
  return [{ name, state, aliases: findAliases(entry, matcher), record: entry.record }];
}

/** Keeps one entry per VPS name. A VPS can have several entries, such as one per address. */
function deduplicate(items: readonly Vps[]): readonly Vps[] {
  const byName = Map.groupBy(items, (item) => (isVpsName(item.name) ? item.name : item));
  return [...byName.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const [state, ...more] = new Set([first, ...others].flatMap((one) => one.state ?? []));
    return { ...first, state: more.length === 0 ? state : undefined };
  });
}

/**
 * Reads one VPS from the record with its name or, if no record names a VPS, the only record. If the payload
 * is only about other VPS, returns no details, and the payload as the record.
 */
export function readVps(data: unknown, name: string): Vps {
  const matcher = openMatcher(data);
  const { entries } = findEntries(data, createKind(openMatcher(undefined)));
  const names = entries.map(({ record, key }) => findName(record, key));
  const place = entries[names.indexOf(name)] ?? (names.some(isVpsName) ? undefined : unwrap(data));
  if (!place) {
    const record = isEmpty(data) ? {} : { others: data };
    return { name, state: undefined, aliases: { full: [], short: [] }, record };
  }
  const state = matcher.text(vpsValues.state, place);
  return { name, state, aliases: findAliases(place, openMatcher(undefined)), record: place.record };
}

/** Removes the objects around a record, and a list around a single record. */
function unwrap(data: unknown, address: Place['address'] = []): Place | undefined {
  const inner = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const [[field, only] = ['', undefined]] = inner;
  const isWrapper = inner.length === 1 && typeof only === 'object' && only !== null;
  if (isWrapper && !(isRecord(data) && findState(data) !== undefined))
    return unwrap(only, [...address, isRecord(data) ? field : '[]']);
  return Array.isArray(data) && data.length > 0 ? undefined : { record: isRecord(data) ? data : {}, address };
}

/** Maximum length of a hostname, from RFC 1035. */
const maxNameChars = 253;
/** Matches a hostname with at least two labels, in any script. */
const hostnamePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}_-]+)+\.?$/u;

/**
 * Returns the names in a VPS record. Leaves out names that look like VPS names, because people could mistake
 * them for another VPS.
 */
function findAliases(place: Place, matcher: Matcher): VpsAliases {
  // Beside a host ID, `hostname` is the name of the machine that the VPS runs on.
  const isOnHost = findFields(place.record, ['hostid']).length > 0;
  const names = listValues.hostname.fields.filter((field) => !isOnHost || field !== 'hostname');
  const found = findFields(place.record, names).flatMap(({ field, value }) =>
    [value].flat().flatMap((name) => toAlias(name).map((alias) => ({ path: [field], value: alias }))),
  );
  const first = matcher.text(listValues.hostname, place, found);
  const full = [...new Set([first, ...found.map(({ value }) => value)].flatMap(toAlias))];
  const isHostname = (name: string) => hostnamePattern.test(name) && !/^[\d.]+$/.test(name);
  const short = [...new Set(full.filter(isHostname).map((name) => name.split('.')[0] ?? ''))];
  return { full, short: short.filter((name) => !full.includes(name) && !isVpsName(name)) };
}

function toAlias(value: unknown): readonly string[] {
  const name = typeof value === 'string' ? value.trim() : '';
  const isUsable = name !== '' && name.length <= maxNameChars && !/\p{Cc}/u.test(name);
  return isUsable && !isVpsName(name) ? [name] : [];
}
