import { parseInteger } from './quantity.ts';
import {
  findValues,
  isEmpty,
  isRecord,
  normalizeFieldName,
  parseFlag,
  type ServiceRecord,
  toText,
} from './record.ts';

/** How to request the next page of a list. */
export type NextPage =
  /** A URL, a path or a query. */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'query'; readonly param: string; readonly value: string };

/** What a reply says about the pages of its list. */
export interface Paging {
  /** The next page that the reply names. */
  readonly next?: NextPage;
  /** Number of pages of the whole list. */
  readonly pages?: number;
  /** Number of entries in the whole list. */
  readonly total?: number;
  /** Whether the reply says that the list continues, even if it names no next page. */
  readonly hasMore: boolean;
}

const pagingName = /meta|pag(e|es|inat.*|ing|er)(info)?$|^_?links?$|cursors?$/;
const quotaName = /quota|usage|limits|statistics|^stats$|bandwidth|traffic|billing/;
const quotaField = /^(used|usage|inuse|available|remaining|free|quota|max|maximum|allocated)$/;

/** The names of a paging field, normalized. */
const names = {
  next: /^(next|(odata)?next(link|ur[il]|href)|nextpage(link|ur[il]|number|no|index)?)$/,
  cursor:
    /^(next(page)?(cursor|token|marker)|nextkey|(continuation|page)token|endcursor|aftercursor|after|cursor|scrollid)$/,
  more: /^(has(more|next)(pages?|items|results)?|more(pages|results|available)?|(is)?truncated|incomplete(results)?)$/,
  last: /^(is)?last$/,
  page: /^(page|(current|cur)page|page(number|num|no|index))$/,
  pages: /^(pages|total(of)?pages|lastpage|pages?(count|total)|num(berof)?pages|nbpages|maxpages?)$/,
  offset: /^(offset|skip|start(index|at)?)$/,
  limit: /^(limit|perpage|pagesize|size|itemsperpage|pagelimit|maxresults)$/,
  total:
    /^(total(count|items|records|results|elements|rows|hits|entries|number|objects)?|(records|items|count)total|fullcount)$/,
} as const;

type PagingField = keyof typeof names;
const pagingFields = Object.keys(names) as readonly PagingField[];
/** Fields that only a page of a list has. */
const pageFields: ReadonlySet<PagingField> = new Set(['next', 'cursor', 'more', 'page', 'pages', 'offset']);
type MutableFound = Map<PagingField, { readonly field: string; readonly value: unknown }>;
type Found = ReadonlyMap<PagingField, { readonly field: string; readonly value: unknown }>;

const maxDepth = 4;
/** A record that contains more records than this is a list by name. Its entries say nothing about pages. */
const maxInnerRecords = 8;

/** Reads what a reply and its headers say about further pages. */
export function readPaging(reply: unknown, headers: Readonly<Record<string, unknown>> = {}): Paging {
  const found: MutableFound = new Map();
  const link = [headers.link].flat().map(findNextLink).find(Boolean);
  if (link) found.set('next', { field: 'next', value: link });
  const listed = Object.entries(headers).flatMap(([header, value]) =>
    header.startsWith('x-') ? [[header.slice(2).replaceAll('-', '_'), value]] : [],
  );
  collect(found, Object.fromEntries(listed), 0, true);
  if (isRecord(reply)) collect(found, reply, maxDepth, false);
  const total = toNumber(found, 'total');
  const pages = toNumber(found, 'pages');
  const isLast = toFlag(found, 'more') === false || toFlag(found, 'last') === true || isEndOfList(found);
  const next = findNext(found, isLast);
  const hasMore =
    next !== undefined || toFlag(found, 'more') === true || (!isLast && isUncertain(found, reply));
  return {
    hasMore,
    ...(next && { next }),
    ...(pages !== undefined && { pages }),
    ...(total !== undefined && { total }),
  };
}

/** Adds the paging fields of a record and of the records in it. The outermost field of a kind counts. */
function collect(found: MutableFound, record: ServiceRecord, depth: number, isPaging: boolean): void {
  const fields = Object.entries(record);
  if (isPaging || fields.some(([, value]) => isListLike(value))) {
    const isQuota = !isPaging && fields.some(([field]) => quotaField.test(normalizeFieldName(field)));
    for (const [field, value] of fields) takeField(found, field, value, isQuota);
  }
  const inner = depth === 0 ? [] : fields.filter(([, value]) => isRecord(value));
  for (const [field, value] of inner) {
    const name = normalizeFieldName(field);
    const isInnerPaging = pagingName.test(name);
    const isOther = quotaName.test(name) || (!isInnerPaging && inner.length > maxInnerRecords);
    if (isRecord(value) && !isOther) collect(found, value, depth - 1, isPaging || isInnerPaging);
  }
}

function takeField(found: MutableFound, field: string, value: unknown, isQuota: boolean): void {
  const name = normalizeFieldName(field);
  if (Array.isArray(value)) {
    const next = name.endsWith('links')
      ? value.filter(isRecord).find(({ rel }) => rel === 'next')
      : undefined;
    if (next && !found.has('next')) found.set('next', { field: 'next', value: next });
    return;
  }
  for (const kind of pagingFields) {
    if (found.has(kind) || !names[kind].test(name) || (isQuota && numberKinds.has(kind))) continue;
    found.set(kind, { field, value });
  }
}

const numberKinds: ReadonlySet<PagingField> = new Set(['page', 'pages', 'offset', 'limit', 'total']);

/** Returns whether a value is a list, or contains a list or record. */
function isListLike(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.values(value).some((inner) => typeof inner === 'object' && inner !== null);
}

const toNumber = (found: Found, kind: PagingField) => parseInteger(found.get(kind)?.value);
const toFlag = (found: Found, kind: PagingField) => parseFlag(found.get(kind)?.value);

/** Returns whether more pages are possible, although the reply doesn't say how to request them. */
function isUncertain(found: Found, reply: unknown): boolean {
  const [page, pages, total, limit] = (['page', 'pages', 'total', 'limit'] as const).map((kind) =>
    toNumber(found, kind),
  );
  if (pages !== undefined || total !== undefined) return page === undefined && (pages ?? 1) > 1;
  return page !== undefined && limit !== undefined && longestList(reply) >= limit;
}

/** Returns whether an empty `next` or cursor says that this is the last page. */
function isEndOfList(found: Found): boolean {
  return (['next', 'cursor'] as const).some((kind) => {
    const own = found.get(kind);
    return own !== undefined && /^next/i.test(own.field) && (isEmpty(own.value) || own.value === false);
  });
}

function findNext(found: Found, isLast: boolean): NextPage | undefined {
  const own = found.get('next');
  const stated = own && toNextPage(own.value, own.field, found);
  if (stated) return stated;
  const cursor = found.get('cursor');
  if (!isLast && cursor && !isEmpty(cursor.value)) return toCursor(cursor.value, cursor.field);
  if (isLast && !toFlag(found, 'more')) return undefined;
  const [page, pages, limit, total, offset] = (['page', 'pages', 'limit', 'total', 'offset'] as const).map(
    (kind) => toNumber(found, kind),
  );
  if (page !== undefined) {
    const last = pages ?? (limit && total !== undefined ? Math.ceil(total / limit) : 0);
    // Pages that are counted from 0 end one number earlier.
    const isBefore = page < last - (page === 0 ? 1 : 0);
    return isBefore ? query(toPageParam(found.get('page')?.field ?? 'page'), page + 1) : undefined;
  }
  if (offset !== undefined && limit && total !== undefined && offset + limit < total)
    return query(found.get('offset')?.field ?? 'offset', offset + limit);
  return undefined;
}

function toNextPage(value: unknown, field: string, found: Found): NextPage | undefined {
  if (isRecord(value)) {
    const [inner] = findValues(value, ['href', 'url', 'uri', 'link', 'cursor', 'token', 'page', 'number']);
    return isRecord(inner) ? undefined : toNextPage(inner, field, found);
  }
  const number = parseInteger(value);
  if (number !== undefined)
    return number > 0 ? query(toPageParam(found.get('page')?.field ?? 'page'), number) : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  return isAddress(value)
    ? { kind: 'url', url: value }
    : query(/page/i.test(field) ? 'page' : 'cursor', value);
}

function toCursor(value: unknown, field: string): NextPage | undefined {
  const text = toText(value);
  if (text === undefined) return undefined;
  return /^(https?:\/\/|\/.*\?|\?)/i.test(text)
    ? { kind: 'url', url: text }
    : query(toCursorParam(field), text);
}

/** Returns the query parameter of a cursor: `next_cursor` is sent back as `cursor`, `nextPageToken` as `pageToken`. */
function toCursorParam(field: string): string {
  const name = normalizeFieldName(field);
  if (name === 'endcursor' || name === 'aftercursor') return 'after';
  if (name === 'nextpagecursor') return 'cursor';
  // Services that name the field only a token or key expect its whole name back.
  if (!name.startsWith('next') || name === 'nexttoken' || name === 'nextkey') return field;
  const rest = field.replace(/^next[_-]?/i, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** Returns the query parameter for a page number. It is usually `page`, whatever the reply calls it. */
function toPageParam(field: string): string {
  return /^(current|cur)page$/.test(normalizeFieldName(field)) ? 'page' : field;
}

function query(param: string, value: string | number): NextPage {
  return { kind: 'query', param, value: String(value) };
}

function isAddress(text: string): boolean {
  return (
    /^(https?:\/\/|[/?&]|\.\/)/i.test(text) || /^[^?]*\?[\w[\]-]+=/.test(text) || /^[\w[\]-]+=[^=]/.test(text)
  );
}

/** Lists the fields of a record that are only about the pages of a list. */
export function listPagingFields(record: ServiceRecord, isInPaging: boolean): readonly string[] {
  const kinds = Object.keys(record).flatMap((field) => {
    const kind = pagingFields.find((own) => names[own].test(normalizeFieldName(field)));
    return kind && typeof record[field] !== 'object' ? [{ field, kind }] : [];
  });
  const isPaging = isInPaging || kinds.some(({ kind }) => pageFields.has(kind));
  return isPaging ? kinds.map(({ field }) => field) : [];
}

/** Returns the address of `rel="next"` in a `Link` header. */
function findNextLink(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  return header
    .split(/,(?=\s*<)/)
    .map((link) => /^\s*<([^<>]*)>\s*;(.*)$/.exec(link))
    .find((link) => link !== null && /(^|[\s;])rel="?([^"]*\s)?next[\s"]*(;|$)/i.test(link[2] ?? ''))?.[1];
}

/** Merges the payloads of a list's pages into one, with the entries of all pages in order. */
export function mergePages(pages: readonly unknown[]): unknown {
  const [first, ...others] = pages;
  if (others.length === 0) return first;
  if (pages.every(Array.isArray)) return pages.flat();
  const records = pages.filter(isRecord);
  if (records.length < pages.length) return first;
  const fields = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries(
    [...fields].map((field) => [
      field,
      mergePages(records.flatMap((record) => (Object.hasOwn(record, field) ? [record[field]] : []))),
    ]),
  );
}

/** How a list was read. */
export interface PagesRead {
  /** How many calls reading took, one for each page. */
  readonly pages: number;
  /** How many calls the whole list takes, as far as the service says. */
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
 * Returns whether the service may have entries beyond the `count` entries of a payload: the client
 * couldn't read all pages, or the payload's total is higher.
 */
export function hasMorePages(data: unknown, count: number): boolean {
  const read = findPagesRead(data);
  if (read) return read.hasMore || (read.total ?? 0) > Math.max(count, longestList(data));
  const { hasMore, total = 0 } = readPaging(data);
  return hasMore || total > Math.max(count, longestList(data));
}

/** Returns the length of the longest list in a payload, because entries without a name count too. */
export function longestList(data: unknown, depth = 3): number {
  if (Array.isArray(data)) return data.length;
  if (!isRecord(data) || depth === 0) return 0;
  return Object.values(data).reduce<number>((max, value) => Math.max(max, longestList(value, depth - 1)), 0);
}
