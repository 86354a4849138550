import { isDeepStrictEqual } from 'node:util';
import type { ListItem } from '../../payload/list-candidates.ts';
import { findList, type ListSpec } from '../../payload/list-finder.ts';
import { hasMorePages } from '../../payload/pagination.ts';
import { addDuplicates, findUnreadParts } from '../../payload/unread-parts.ts';
import { openPlaces, type Places } from '../../readings/places.ts';
import type { Reading } from '../../readings/reading.ts';
import { vpsReadings } from '../../readings/vps-readings.ts';
import {
  findName,
  findState,
  findText,
  isEmpty,
  isOfAnotherVps,
  isRecord,
  isVpsName,
  listNames,
  listStates,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
} from '../../values/records.ts';
import { findVpsAliases, type VpsAliases } from './vps-names.ts';

/** A VPS, described by an undocumented payload. */
export interface Vps {
  /** The name as the service writes it, but with the prefix `VPS` in upper case. */
  readonly name: string;
  /** The state in the service's own words, if it was found. */
  readonly state: string | undefined;
  readonly aliases: VpsAliases;
  readonly record: ServiceRecord;
  /**
   * Set if the list has several servers with this name, so that it is unknown which one the service
   * means by it. The other properties have what is true of all of them.
   */
  readonly isContested?: true;
}

export interface VpsList {
  readonly vps: readonly Vps[];
  /** Whether the payload indicates further pages, which means that other names may exist. */
  readonly hasMore: boolean;
  /**
   * The payload without the list. `duplicates` has the parts of repeated entries that the first
   * entry lacks.
   */
  readonly otherFields: ServiceRecord;
}

function createVpsListSpec(places: Places): ListSpec<ListItem> {
  const isChosen = places.correctionOf(vpsReadings.names) !== undefined;
  return {
    namePattern: listNamePattern,
    isCertain: (item) => {
      const name = readName(item, places);
      return isChosen ? name !== undefined : isVpsName(name);
    },
    isUnmistakable: true,
    toRecord: (value, key) => {
      const isState = typeof value === 'string' && isStateWord(value);
      if (key !== undefined) return isVpsName(key) ? { [isState ? 'state' : 'value']: value } : undefined;
      return isVpsName(value) ? { name: value } : undefined;
    },
    readItem: (item) => (readName(item, places) === undefined ? undefined : item),
  };
}

function readName({ record, key }: ListItem, places: Places): string | undefined {
  const isChosen = places.correctionOf(vpsReadings.names) !== undefined;
  const name = isChosen ? undefined : findName(record, key);
  const found = places.findText(vpsReadings.names, record, () =>
    listNames(record).filter(({ value }) => value === name),
  );
  return found === undefined ? name : normalizeVpsName(found);
}

function toVps(item: ListItem, places: Places): readonly Vps[] {
  const { key, record, groups = [] } = item;
  const name = readName(item, places);
  if (name === undefined) return [];
  const state = readState(vpsReadings.listState, record, places) ?? groups.findLast(isStateWord);
  // The name of a field around a single VPS, such as `server`, names nothing.
  const ownKey = key === undefined || isWrapperKey(key) ? undefined : key;
  return [{ name, state, aliases: findVpsAliases(record, ownKey, places), record }];
}

const listNamePattern = /^(vps|vpslist|vpss|servers?|instances|machines|vms)$/;
const wrapperKeyPattern =
  /^(vps|vm|servers?|instance|machine|item|data|result|entry|element|row|record|object)$/;

function isWrapperKey(key: string): boolean {
  const name = normalizeFieldName(key);
  return listNamePattern.test(name) || wrapperKeyPattern.test(name);
}

function readState(reading: Reading, record: ServiceRecord, places: Places): string | undefined {
  return places.findText(reading, record, () => listStates(record, true));
}

/** Names of groups that are only a state of their VPS. */
const stateWordPattern =
  /^(running|stopped|halted|paused|suspended|online|offline|shutoff|powered(on|off)|rebooting|starting|stopping)$/;

function isStateWord(group: string): boolean {
  return stateWordPattern.test(normalizeFieldName(group));
}

/**
 * Reads the list of VPS: `data.vps`, `data.items`, a map by name, any list of records that have a
 * name, or such lists in groups. Each VPS is returned only once.
 */
export function readVpsList(data: unknown): VpsList {
  const isCacheable = typeof data === 'object' && data !== null;
  const known = isCacheable ? knownLists.get(data) : undefined;
  // The client can find out later that a list has no further pages.
  if (known) return { ...known.list, hasMore: hasMorePages(data, known.count) };
  const places = openPlaces(data);
  const found = findList(data, createVpsListSpec(openPlaces(data, { isSearch: true })));
  const items = nameByField(
    found.items.flatMap((item) => toVps(item, places)),
    places,
  );
  const { vps, duplicates } = deduplicate(items);
  const otherFields = addDuplicates(found.otherFields, duplicates);
  const list = { vps, hasMore: found.hasMore, otherFields };
  if (isCacheable) knownLists.set(data, { list, count: items.length });
  return list;
}

/** Lists by payload. Each keystroke in a select reads the stored list, which can have 10,000 VPS. */
const knownLists = new WeakMap<object, { readonly list: VpsList; readonly count: number }>();

/**
 * Names the VPS by another field if none of them has a VPS name where names usually are: the only
 * field that has a VPS name in every record, each a different one.
 */
function nameByField(items: readonly Vps[], places: Places): readonly Vps[] {
  const [first, ...others] = items;
  if (first === undefined || others.length === 0 || items.some(({ name }) => isVpsName(name))) return items;
  const fields = Object.keys(first.record).filter((field) => {
    const names = items.map(({ record }) => record[field]);
    return names.every(isVpsName) && new Set(names).size === names.length;
  });
  const [field, ...more] = fields;
  if (field === undefined || more.length > 0) return items;
  // A name that several VPS share, such as that of the product, identifies none of them.
  const seen = new Set<string>();
  const shared = new Set(
    items.flatMap(({ aliases }) => aliases.full).filter((alias) => seen.has(alias) || !seen.add(alias)),
  );
  return items.map(({ aliases, ...item }) => {
    const full = aliases.full.filter((alias) => !shared.has(alias));
    const name = normalizeVpsName(String(item.record[field]));
    places.note(vpsReadings.names, { record: item.record, path: [field], isCertain: true });
    return { ...item, name, aliases: { full, short: full.length === 0 ? [] : aliases.short } };
  });
}

interface UniqueVps {
  readonly vps: readonly Vps[];
  /** The fields of repeated entries that the first entry of the VPS lacks, by VPS name. */
  readonly duplicates: ServiceRecord;
}

function deduplicate(items: readonly Vps[]): UniqueVps {
  const vps: Vps[] = [];
  const duplicates: [name: string, parts: readonly unknown[]][] = [];
  for (const [key, [first, ...others]] of groupByName(items)) {
    if (first === undefined) continue;
    const isContested = others.some((other) => isAnotherServer(other, first));
    const shown = isContested ? others.reduce(keepCommonParts, first) : first;
    vps.push(shown);
    const parts = (isContested ? [first, ...others] : others).flatMap(
      ({ record }) => findUnreadParts(record, [shown.record]) ?? [],
    );
    if (typeof key === 'string' && parts.length > 0) duplicates.push([key, parts]);
  }
  return { vps, duplicates: Object.fromEntries(duplicates) };
}

/** Groups the entries that have the same VPS name. Any other entry is a group of its own. */
function groupByName(items: readonly Vps[]) {
  return Map.groupBy(items, (item) => (isVpsName(item.name) ? item.name : item));
}

/** Normalized names of fields that differ between two servers. */
const idFields = ['id', 'uuid', 'vpsid', 'vmid', 'serverid', 'instanceid'];
const hostnameFields = ['hostname', 'fqdn'];

/**
 * Returns whether two entries with the same name are two servers. If both have the documented field,
 * their IDs don't count: the entries can be parts of one server, such as one for each address.
 */
function isAnotherServer({ record }: Vps, { record: first }: Vps): boolean {
  const areDocumented = [record, first].every((each) => findText(each, ['vpsname']) !== undefined);
  return (areDocumented ? hostnameFields : [...idFields, ...hostnameFields]).some((field) => {
    const [one, other] = [record, first].map((each) => findText(each, [field]));
    return one !== undefined && other !== undefined && one !== other;
  });
}

function keepCommonParts(first: Vps, other: Vps): Vps {
  const isShared = (alias: string) => [...other.aliases.full, ...other.aliases.short].includes(alias);
  const { full, short } = first.aliases;
  const fields = Object.entries(first.record).filter(([field, value]) =>
    isDeepStrictEqual(other.record[field], value),
  );
  return {
    name: first.name,
    state: first.state === other.state ? first.state : undefined,
    aliases: { full: full.filter(isShared), short: short.filter(isShared) },
    record: Object.fromEntries(fields),
    isContested: true,
  };
}

/** Maximum number of wrapper objects around a VPS. */
const maxDepth = 3;

/**
 * Reads one VPS from `data` itself or from a nested field. A payload that is only about other VPS
 * says nothing about this one, and is returned as it is.
 */
export function readVps(data: unknown, name: string): Vps {
  const places = openPlaces(data);
  const candidates = isRecord(data) ? [data, ...Object.values(data)].filter(isRecord) : [];
  const named =
    candidates.find((candidate) => hasName(candidate, name)) ??
    findList(data, createVpsListSpec(openPlaces(undefined))).items.find(
      (item) => findName(item.record, item.key) === name,
    )?.record;
  const record = named ?? unwrapRecord(data, name);
  if (record === undefined || (named === undefined && isOther(record, name))) {
    const others = isEmpty(data) ? {} : { others: data };
    return { name, state: undefined, aliases: { full: [], short: [] }, record: others };
  }
  return {
    name,
    state: readState(vpsReadings.state, record, places),
    aliases: findVpsAliases(record),
    record,
  };
}

/** Returns whether a record is called so, and not only labeled so by a customer. */
function hasName(record: ServiceRecord, name: string): boolean {
  return listNames(record).find(({ path }) => path.length === 1)?.value === name;
}

/** Returns whether a record is of another VPS, whose label can be the name of this one. */
function isOther(record: ServiceRecord, name: string): boolean {
  const isLabeled = listNames(record).some(({ value }) => value === name);
  return isOfAnotherVps(record, name) || (isLabeled && !hasName(record, name));
}

function hasValue(values: readonly unknown[], name: string): boolean {
  return values.some((value) => typeof value === 'string' && normalizeVpsName(value) === name);
}

/**
 * Removes the wrapper objects around a record. Returns undefined for a list of several VPS if none
 * or more than one of them has the name in any field.
 */
function unwrapRecord(data: unknown, name: string, depth = maxDepth): ServiceRecord | undefined {
  if (Array.isArray(data)) {
    const records = data.filter(isRecord);
    const own = records.length < 2 ? records : records.filter((one) => hasValue(Object.values(one), name));
    return own.length > 1 ? undefined : (own[0] ?? (records.length === 0 ? {} : undefined));
  }
  if (!isRecord(data)) return {};
  const values = Object.values(data);
  const inner = isRecord(data.vps) ? data.vps : values.length === 1 ? values[0] : undefined;
  const isWrapper = findState(data) === undefined && typeof inner === 'object' && inner !== null && depth > 0;
  return isWrapper ? unwrapRecord(inner, name, depth - 1) : data;
}
