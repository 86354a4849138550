import { isEmpty, isRecord, type ServiceRecord } from '../values/records.ts';
import { findCandidates, isListName, type ListCandidate, type ListSpec } from './list-candidates.ts';
import { hasMorePages } from './pagination.ts';

export type { ListSpec } from './list-candidates.ts';

export interface FoundList<Entry> {
  readonly items: readonly Entry[];
  /** The payload without the list's items. */
  readonly otherFields: ServiceRecord;
  readonly hasMore: boolean;
}

/**
 * Finds a list in a payload. The list is `data` itself or in a nested field, and is an array, a map
 * by name, or grouped (by project or state, for example). A list with a certain entry wins over one
 * with only a fitting name, which wins over one with only a generic name.
 */
export function findList<Entry>(data: unknown, spec: ListSpec<Entry>): FoundList<Entry> {
  const candidates = findCandidates(data, spec);
  const best = candidates.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      Number(b.isArray) - Number(a.isArray) ||
      Number(b.isNamed) - Number(a.isNamed) ||
      a.path.length - b.path.length,
  )[0];
  const found = best ? candidates.filter((one) => one === best || isOtherGroup(one, best, spec)) : [];
  const items = found.flatMap((one) => one.items);
  return {
    items,
    otherFields: toOtherFields(replaceLists(data, found)),
    hasMore: hasMorePages(data, items.length),
  };
}

/**
 * Returns whether two lists belong together because they differ only in the groups around them: `{
 * "project-a": { vps: [...] }, "project-b": { vps: [...] } }`.
 */
function isOtherGroup<Entry>(
  one: ListCandidate<Entry>,
  best: ListCandidate<Entry>,
  spec: ListSpec<Entry>,
): boolean {
  const hasSameShape = one.isArray === best.isArray && one.path.length === best.path.length;
  if (!hasSameShape || (one.rank !== best.rank && Math.max(one.rank, best.rank) > 1)) return false;
  return best.path.every((segment, index) => {
    const other = one.path[index];
    if (other === undefined || segment === other) return true;
    if (typeof segment === 'number' || typeof other === 'number') return typeof segment === typeof other;
    const isOwnName = index === best.path.length - 1 && best.isArray;
    return !isOwnName && !isListName(segment, spec) && !isListName(other, spec);
  });
}

/** Returns the payload without the items of the lists, and without fields that became empty. */
function replaceLists(data: unknown, lists: readonly ListCandidate<unknown>[], depth = 0): unknown {
  const own = lists.find(({ path }) => path.length === depth);
  if (own) return own.remainder;
  const bySegment = Map.groupBy(lists, ({ path }) => path[depth]);
  const replace = (value: unknown, segment: string | number): unknown[] => {
    const inner = bySegment.get(segment);
    if (!inner) return [value];
    const left = replaceLists(value, inner, depth + 1);
    return isEmpty(left) ? [] : [left];
  };
  if (Array.isArray(data)) return data.flatMap(replace);
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => replace(value, key).map((left) => [key, left])),
  );
}

/** Wraps what remains of a payload in a record. */
export function toOtherFields(left: unknown): ServiceRecord {
  if (isRecord(left)) return left;
  return isEmpty(left) ? {} : { others: left };
}
