import { hintsAtMorePages } from './pages.ts';
import { bare, isEmpty, isRecord, type ServiceRecord } from './records.ts';

/** An entry of a list or of a map. */
export interface Item {
  readonly record: ServiceRecord;
  /** Its key in a map. */
  readonly key?: string;
}

/** What is looked for in a payload. */
export interface ListKind<Reading> {
  /** Bare names that a list of this kind goes by. */
  readonly fields: RegExp;
  /** Reads an entry; `undefined` where it cannot be one, whereupon it is left where it was. */
  readonly read: (item: Item) => Reading | undefined;
  /** Tells whether an entry is one for sure, whatever its list is called. */
  readonly fits: (item: Item) => boolean;
  /** Makes a record of an entry that is not one; `key` in a map. */
  readonly recordOf?: (value: unknown, key?: string) => ServiceRecord | undefined;
}

export interface FoundList<Reading> {
  readonly readings: readonly Reading[];
  /** The payload without them. */
  readonly rest: ServiceRecord;
  readonly mayHaveMore: boolean;
}

/** How deep a list may stand in a payload. */
const mostDepth = 3;

const generalFields = /^(items|data|results?|list|entries|records|rows|values|content|vps|)$/;

/**
 * Finds the list of a kind in a payload: `data` itself, a field of it or of a field, as an array or as a map by name, alone or
 * in groups. What fits for sure goes before what only has the right name, and that before what only stands where a list usually does.
 */
export function findList<Reading>(data: unknown, kind: ListKind<Reading>): FoundList<Reading> {
  const best = candidatesIn(data, kind, [], mostDepth).toSorted(
    (one, other) =>
      one.rank - other.rank ||
      Number(other.isArray) - Number(one.isArray) ||
      Number(other.isNamed) - Number(one.isNamed) ||
      one.path.length - other.path.length,
  )[0];
  const readings = best?.readings ?? [];
  return {
    readings,
    rest: asRest(best ? replaceAt(data, best.path, best.left) : data),
    mayHaveMore: hintsAtMorePages(data, readings.length),
  };
}

interface Candidate<Reading> {
  readonly path: readonly string[];
  readonly readings: readonly Reading[];
  readonly left: unknown;
  readonly isArray: boolean;
  readonly isNamed: boolean;
  /** The smaller, the better. */
  readonly rank: number;
}

function candidatesIn<Reading>(
  data: unknown,
  kind: ListKind<Reading>,
  path: readonly string[],
  depth: number,
): Candidate<Reading>[] {
  if (Array.isArray(data)) return [asArray(data, kind, path)].flatMap((found) => found ?? []);
  if (!isRecord(data)) return [];
  const inner =
    depth === 0
      ? []
      : Object.entries(data).flatMap(([field, value]) =>
          candidatesIn(value, kind, [...path, field], depth - 1),
        );
  return [asGroups(data, kind, path), asMap(data, kind, path), ...inner].flatMap((found) => found ?? []);
}

function asArray<Reading>(
  data: readonly unknown[],
  kind: ListKind<Reading>,
  path: readonly string[],
): Candidate<Reading> | undefined {
  const entries = data.map((value) => ({ value, item: itemOf(value, kind) }));
  return candidate(entries, kind, { path, isArray: true, leave: (left) => left.map(({ value }) => value) });
}

/** In a map, only what fits is an entry: the other fields of a record are no list. */
function asMap<Reading>(
  data: ServiceRecord,
  kind: ListKind<Reading>,
  path: readonly string[],
): Candidate<Reading> | undefined {
  const entries = Object.entries(data).map(([key, value]) => {
    const item = itemOf(value, kind, key);
    return { key, value, item: item && kind.fits(item) ? item : undefined };
  });
  if (entries.every(({ item }) => item === undefined)) return undefined;
  return candidate(entries, kind, {
    path,
    isArray: false,
    leave: (left) => Object.fromEntries(left.map(({ key, value }) => [key, value])),
  });
}

/** A record of nothing but fitting lists holds one list in groups: `{ debian: [...], ubuntu: [...] }`. */
function asGroups<Reading>(
  data: ServiceRecord,
  kind: ListKind<Reading>,
  path: readonly string[],
): Candidate<Reading> | undefined {
  const groups = Object.entries(data);
  const isGrouped =
    groups.length > 1 &&
    groups.every(
      ([field, group]) =>
        Array.isArray(group) &&
        !kind.fields.test(bare(field)) &&
        group.every((value) => {
          const item = itemOf(value, kind);
          return item !== undefined && kind.fits(item) && kind.read(item) !== undefined;
        }),
    );
  if (!isGrouped) return undefined;
  const entries = groups.flatMap(([, group]) =>
    Array.isArray(group) ? group.map((value: unknown) => ({ value, item: itemOf(value, kind) })) : [],
  );
  return candidate(entries, kind, { path, isArray: true, leave: () => [] });
}

function itemOf<Reading>(value: unknown, kind: ListKind<Reading>, key?: string): Item | undefined {
  const record = isRecord(value) ? value : kind.recordOf?.(value, key);
  if (record === undefined) return undefined;
  return key === undefined ? { record } : { record, key };
}

/** Makes a candidate of a list's entries. An empty list is one only where its name says what it would hold. */
function candidate<Reading, Entry extends { readonly item: Item | undefined }>(
  entries: readonly Entry[],
  kind: ListKind<Reading>,
  {
    path,
    isArray,
    leave,
  }: {
    readonly path: readonly string[];
    readonly isArray: boolean;
    readonly leave: (left: readonly Entry[]) => unknown;
  },
): Candidate<Reading> | undefined {
  const read = entries.map((entry) => ({ entry, reading: entry.item && kind.read(entry.item) }));
  const readings = read.flatMap(({ reading }) => reading ?? []);
  const field = bare(path.at(-1) ?? '');
  const isNamed = path.length > 0 && kind.fields.test(field);
  if (readings.length === 0 && !isNamed) return undefined;
  const fits = entries.some(({ item }) => item !== undefined && kind.fits(item));
  return {
    path,
    readings,
    left: leave(read.flatMap(({ entry, reading }) => (reading === undefined ? [entry] : []))),
    isArray,
    isNamed,
    rank: fits ? 0 : isNamed ? 1 : generalFields.test(field) ? 2 : 3,
  };
}

/** Returns the payload with something else in a place of it, and without the place where that is empty. */
function replaceAt(data: unknown, [field, ...path]: readonly string[], left: unknown): unknown {
  if (field === undefined) return left;
  if (!isRecord(data)) return data;
  const entries = Object.entries(data).flatMap(([key, value]): [string, unknown][] => {
    if (key !== field) return [[key, value]];
    const inner = replaceAt(value, path, left);
    return isEmpty(inner) ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}

/** Makes a record of what is left of a payload, whatever it is. */
export function asRest(left: unknown): ServiceRecord {
  if (isRecord(left)) return left;
  return isEmpty(left) ? {} : { others: left };
}
