import { collectPageHints } from '../pages/page-hints.ts';
import { toPageStatus } from '../pages/page-status.ts';
import { isRecord } from '../values/records.ts';

/** How a list was read. */
export interface PagesRead {
  /** How many calls reading took, one for each page. */
  readonly pages: number;
  /** How many calls the whole list takes, according to what is known so far. */
  readonly allPages: number;
  /** Number of entries in the whole list, if the service reports it. */
  readonly total?: number | undefined;
  /** Whether the service may have entries that the payload lacks. */
  readonly hasMore: boolean;
  /** Time (epoch ms) at which the first page was read. */
  readonly atMs: number;
}

const pagesRead = new WeakMap<object, PagesRead>();

/** Records how the payload of a list was read. */
export function setPagesRead(data: unknown, read: PagesRead): void {
  if (typeof data === 'object' && data !== null) pagesRead.set(data, read);
}

/** Returns how the payload of a list was read. Returns undefined if the client didn't read it as a list. */
export function findPagesRead(data: unknown): PagesRead | undefined {
  return typeof data === 'object' && data !== null ? pagesRead.get(data) : undefined;
}

/**
 * Returns whether the service has entries beyond the `count` items of a payload. Uses the client's
 * findings from reading the pages, or else hints in the payload's fields. The items themselves
 * aren't searched.
 */
export function hasMorePages(data: unknown, count: number): boolean {
  return findPagesRead(data)?.hasMore ?? suggestsMore(data, count);
}

function suggestsMore(data: unknown, count: number): boolean {
  if (!isRecord(data)) return false;
  const hints = collectPageHints(data);
  const entries = countEntries(data, count, hints.total);
  return toPageStatus(hints, { pagesRead: 1, entriesRead: entries, pageEntries: entries }).hasMore;
}

/**
 * Returns the number of entries on a page. It is `count`, or `total` if a list has exactly that
 * many entries, because entries without a name count too.
 */
export function countEntries(data: unknown, count: number, total: number | undefined): number {
  return total !== undefined && total > count && listLengths(data).includes(total) ? total : count;
}

const maxListDepth = 3;

/** Returns the lengths of the lists in a payload. Lists inside lists don't count. */
function listLengths(data: unknown, depth = maxListDepth): number[] {
  if (Array.isArray(data)) return [data.length];
  if (!isRecord(data) || depth === 0) return [];
  return Object.values(data).flatMap((value) => listLengths(value, depth - 1));
}
