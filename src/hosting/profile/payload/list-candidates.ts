import { isRecord, normalizeFieldName, type ServiceRecord } from '../values/records.ts';

/** An entry of a list or of a map. */
export interface ListItem {
  readonly record: ServiceRecord;
  /** Its key in a map. */
  readonly key?: string;
  /** Names of the fields around the list, outermost first, such as a project or state. */
  readonly groups?: readonly string[];
}

/** Describes the list to find in a payload. */
export interface ListSpec<Entry> {
  /** Matches the normalized names of fields that contain such a list. */
  readonly namePattern: RegExp;
  /** Parses an entry. Returns undefined for anything else; that value then stays in the payload. */
  readonly readItem: (item: ListItem) => Entry | undefined;
  /** Returns whether an entry is certainly one of this list, whatever the list's name is. */
  readonly isCertain: (item: ListItem) => boolean;
  /**
   * Set if a certain entry can't be mistaken for an entry of another list. Lists grouped by project
   * or state are then recognized even beside other fields.
   */
  readonly isUnmistakable?: true;
  /** Converts an entry that isn't an object to a record. `key` is the entry's key in a map. */
  readonly toRecord?: (value: unknown, key?: string) => ServiceRecord | undefined;
}

/** A list that could be the one to find. */
export interface ListCandidate<Entry> {
  /** Field names and, in a list of groups, positions. */
  readonly path: readonly (string | number)[];
  readonly items: readonly Entry[];
  /** The list without its recognized entries. */
  readonly remainder: unknown;
  readonly isArray: boolean;
  readonly isNamed: boolean;
  /** Lower ranks win: 0 has certain entries, 1 a fitting name, 2 a generic name. */
  readonly rank: number;
}

/** Maximum depth of a list in the payload. Lists of groups don't count. */
const maxDepth = 3;

const genericNamePattern = /^(items|data|results?|list|entries|records|rows|values|content|vps|)$/;

/**
 * Returns whether a field name means that its value is a list. Such a name isn't that of a group.
 */
export function isListName(
  segment: string | number,
  { namePattern }: Pick<ListSpec<unknown>, 'namePattern'>,
) {
  const name = normalizeFieldName(String(segment));
  return typeof segment === 'string' && (namePattern.test(name) || genericNamePattern.test(name));
}

/** Finds every list in a payload that could match `spec`. */
export function findCandidates<Entry>(
  data: unknown,
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'] = [],
  depth = maxDepth,
): ListCandidate<Entry>[] {
  if (Array.isArray(data)) return findInArray(data, spec, path, depth);
  if (!isRecord(data)) return [];
  const inner =
    depth === 0
      ? []
      : Object.entries(data).flatMap(([field, value]) =>
          findCandidates(value, spec, [...path, field], depth - 1),
        );
  return [groupedCandidate(data, spec, path), mapCandidate(data, spec, path), ...inner].flatMap(
    (found) => found ?? [],
  );
}

/** Finds a list in an array, or in each group of an array: `[{ name: "a", vps: [...] }, …]`. */
function findInArray<Entry>(
  data: readonly unknown[],
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'],
  depth: number,
): ListCandidate<Entry>[] {
  const own = arrayCandidate(data, spec, path);
  const found = own ? [own] : [];
  const isNamedList = own?.isNamed === true && own.items.length > 0;
  if (depth === 0 || own?.rank === 0 || (isNamedList && !spec.isUnmistakable)) return found;
  const inGroups = data.flatMap((group, index) =>
    isRecord(group) ? findCandidates(group, spec, [...path, index], depth) : [],
  );
  // Unrelated lists inside the entries are left out, such as a snapshot's disks.
  return [
    ...found,
    ...inGroups.filter(({ isNamed, rank }) => isNamed || (rank === 0 && spec.isUnmistakable)),
  ];
}

function arrayCandidate<Entry>(
  data: readonly unknown[],
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'],
): ListCandidate<Entry> | undefined {
  const entries = data.map((value) => ({ value, item: toListItem(value, spec, path) }));
  return createCandidate(entries, spec, {
    path,
    isArray: true,
    toRemainder: (left) => left.map(({ value }) => value),
  });
}

/** Creates a candidate from the certain entries of a map. Other fields of a record aren't list entries. */
function mapCandidate<Entry>(
  data: ServiceRecord,
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'],
): ListCandidate<Entry> | undefined {
  const entries = Object.entries(data).map(([key, value]) => {
    const item = toListItem(value, spec, path, key);
    return { key, value, item: item && spec.isCertain(item) ? item : undefined };
  });
  if (entries.every(({ item }) => item === undefined)) return undefined;
  return createCandidate(entries, spec, {
    path,
    isArray: false,
    toRemainder: (left) => Object.fromEntries(left.map(({ key, value }) => [key, value])),
  });
}

/**
 * Treats the lists in a record as one grouped list: `{ debian: [...], ubuntu: [...] }`. Unless the
 * entries are unmistakable, the record must have no other fields.
 */
function groupedCandidate<Entry>(
  data: ServiceRecord,
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'],
): ListCandidate<Entry> | undefined {
  const fields = Object.entries(data);
  const groups = new Map(
    fields.flatMap(([field, value]) => {
      const items =
        Array.isArray(value) && !isListName(field, spec) ? readGroup(value, [...path, field]) : [];
      return items && items.length > 0 ? [[field, items]] : [];
    }),
  );
  const hasOthers = fields.some(([field, value]) => !groups.has(field) && !isEmptyGroup(value));
  if (groups.size === 0 || ((groups.size === 1 || hasOthers) && !spec.isUnmistakable)) return undefined;
  if (fields.some(([field, value]) => isListName(field, spec) && Array.isArray(value))) return undefined;
  const entries = [...groups.values()].flat().map((item) => ({ item }));
  const others = Object.fromEntries(fields.filter(([field]) => !groups.has(field)));
  return createCandidate(entries, spec, { path, isArray: true, toRemainder: () => others });

  function readGroup(values: readonly unknown[], groupPath: ListCandidate<Entry>['path']) {
    const items = values.flatMap((value) => toListItem(value, spec, groupPath) ?? []);
    const isGroup =
      items.length === values.length &&
      items.every((item) => spec.isCertain(item) && spec.readItem(item) !== undefined);
    return isGroup ? items : undefined;
  }
}

function isEmptyGroup(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function toListItem<Entry>(
  value: unknown,
  spec: ListSpec<Entry>,
  path: ListCandidate<Entry>['path'],
  key?: string,
): ListItem | undefined {
  const record = isRecord(value) ? value : spec.toRecord?.(value, key);
  if (record === undefined) return undefined;
  const groups = path.filter((segment) => typeof segment === 'string');
  return { record, ...(key !== undefined && { key }), ...(groups.length > 0 && { groups }) };
}

/** Creates a candidate from a list's entries. Returns undefined for an empty list unless its name fits. */
function createCandidate<Entry, Part extends { readonly item: ListItem | undefined }>(
  entries: readonly Part[],
  spec: ListSpec<Entry>,
  {
    path,
    isArray,
    toRemainder,
  }: {
    readonly path: ListCandidate<Entry>['path'];
    readonly isArray: boolean;
    readonly toRemainder: (left: readonly Part[]) => unknown;
  },
): ListCandidate<Entry> | undefined {
  const parsed = entries.map((entry) => ({ entry, item: entry.item && spec.readItem(entry.item) }));
  const items = parsed.flatMap(({ item }) => item ?? []);
  const field = path.at(-1) ?? '';
  const name = typeof field === 'string' ? normalizeFieldName(field) : undefined;
  const isNamed = path.length > 0 && name !== undefined && spec.namePattern.test(name);
  if (items.length === 0 && !isNamed) return undefined;
  const isCertain = entries.some(({ item }) => item !== undefined && spec.isCertain(item));
  const isGeneric = name !== undefined && genericNamePattern.test(name);
  return {
    path,
    items,
    remainder: toRemainder(parsed.flatMap(({ entry, item }) => (item === undefined ? [entry] : []))),
    isArray,
    isNamed,
    rank: isCertain ? 0 : isNamed ? 1 : isGeneric ? 2 : 3,
  };
}
