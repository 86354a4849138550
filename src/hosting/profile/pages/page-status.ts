import type { PageHints } from './page-hints.ts';

/** How far a list has been read, including the current page. */
export interface PagePosition {
  readonly pagesRead: number;
  /** Number of different entries on all pages read so far. */
  readonly entriesRead: number;
  /** Number of entries on the current page. */
  readonly pageEntries: number;
  /** The number that the service gave to the first page, if any. */
  readonly firstPage?: number | undefined;
}

/** How to request the next page. */
export type NextRequest =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'query'; readonly param: string; readonly value: string };

export interface PageStatus {
  readonly hasMore: boolean;
  /** Requests that can return the next page, most likely first. */
  readonly next: readonly NextRequest[];
}

/** Returns whether a list has further pages, and how to ask for the next one. */
export function toPageStatus(hints: PageHints, position: PagePosition): PageStatus {
  const { next, isTruncated = false, isLast = false } = hints;
  const hasNext = next !== undefined && !(isLast && next.kind === 'cursor' && !next.isNext);
  const hasMoreNumbers = hasMoreByNumbers(hints, position);
  const hasMore = hasNext || isTruncated || hasMoreNumbers;
  if (!hasMore) return { hasMore, next: [] };
  if (hasNext) return { hasMore, next: [toNextRequest(next, hints)] };
  if (isLast && !isTruncated && !hasMorePageNumbers(hints, position)) return { hasMore, next: [] };
  const byPage = query(hints.page?.param ?? 'page', currentPage(hints, position) + 1);
  const byOffset = query(hints.offset?.param ?? 'offset', nextOffset(hints, position));
  const isByOffset =
    hints.page === undefined &&
    hints.pages === undefined &&
    (hints.offset !== undefined || hints.limit !== undefined);
  return { hasMore, next: isByOffset ? [byOffset, byPage] : [byPage, byOffset] };
}

function toNextRequest(next: NonNullable<PageHints['next']>, { page }: PageHints): NextRequest {
  if (next.kind === 'url') return next;
  if (next.kind === 'page') return query(page?.param ?? 'page', next.value);
  return { kind: 'query', param: next.param, value: String(next.value) };
}

function query(param: string, value: number): NextRequest {
  return { kind: 'query', param, value: String(value) };
}

function hasMoreByNumbers(hints: PageHints, position: PagePosition): boolean {
  return (
    hasMorePageNumbers(hints, position) ||
    (toTotal(hints, position) ?? 0) > position.entriesRead ||
    isFullPage(hints, position)
  );
}

function hasMorePageNumbers(hints: PageHints, position: PagePosition): boolean {
  return currentPage(hints, position) - firstPage(hints, position) + 1 < (hints.pages ?? 0);
}

/**
 * Returns the number of entries in the whole list. `count` can be it only if it exceeds the number
 * of entries read so far.
 */
function toTotal({ total, count }: PageHints, { entriesRead }: PagePosition): number | undefined {
  return total ?? (count !== undefined && count > entriesRead ? count : undefined);
}

/** Returns whether the page is exactly full and nothing else says whether there is another page. */
function isFullPage(
  { next, limit, page, offset, pages, total, isLast }: PageHints,
  { pageEntries }: PagePosition,
) {
  const hasEnd = next !== undefined || pages !== undefined || total !== undefined || isLast === true;
  const isPaged = page !== undefined || offset !== undefined;
  return !hasEnd && isPaged && pageEntries > 0 && limit === pageEntries;
}

/** Returns the number of the first page: 0 if the service counts from 0, otherwise 1. */
function firstPage({ page }: PageHints, { firstPage: reported, pagesRead }: PagePosition): number {
  const first = reported ?? (pagesRead === 1 ? page?.value : undefined);
  return first === 0 ? 0 : 1;
}

function currentPage(hints: PageHints, position: PagePosition): number {
  return hints.page?.value ?? firstPage(hints, position) + position.pagesRead - 1;
}

/** Returns the offset of the next page. If the service reports none, counts the entries from 0. */
function nextOffset({ offset }: PageHints, { pageEntries, entriesRead }: PagePosition): number {
  return offset === undefined ? entriesRead : offset.value + pageEntries;
}
