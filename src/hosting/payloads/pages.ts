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

/** Paging information in a response. */
export interface Paging {
  /** The next page named in the response. */
  readonly next?: NextPage;
  /** Number of pages in the whole list. */
  readonly pages?: number;
  /** Number of entries in the whole list. */
  readonly total?: number;
  /** Whether the response indicates that the list continues, even if it names no next page. */
  readonly hasMore: boolean;
}

const pagingName = /meta|pag(e|es|inat.*|ing|er)(info)?$|^_?links?$|cursors?$/;
const quotaName = /quota|usage|limits|statistics|^stats$|bandwidth|traffic|billing/;
const quotaField = /^(used|usage|inuse|available|remaining|free|quota|max|maximum|allocated)$/;

/** Normalized names by paging field. */
const names = {
  next: /^next(page)?(link|url|uri|href|number|no|index)?$/,
  cursor: /^next(page)?(cursor|token|marker)$/,
  more: /^(has(more|next)(pages?|items|results)?|more(pages|results|available)?|(is)?truncated)$/,
  page: /^(page|(current|cur)page|page(number|num|no|index))$/,
  pages: /^(pages|total(of)?pages|lastpage|pages?(count|total)|num(berof)?pages)$/,
  offset: /^(offset|skip|start(index|at)?)$/,
  limit: /^(limit|perpage|pagesize|size|itemsperpage)$/,
  total: /^(total(count|items|records|results|elements|rows|entries)?|(records|items|count)total)$/,
} as const;

type PagingField = keyof typeof names;
const pagingFields = Object.keys(names) as readonly PagingField[];
/** Fields that only a page of a list has. */
const pageFields: ReadonlySet<PagingField> = new Set(['next', 'cursor', 'more', 'page', 'pages', 'offset']);
type Found = Map<PagingField, { readonly field: string; readonly value: unknown }>;

/** Maximum number of records inside a record. With more, it's a map by name. */
const maxInnerRecords = 8;

/** Reads paging information from a response and its headers. */
export function readPaging(reply: unknown, headers: Readonly<Record<string, unknown>> = {}): Paging {
  const found = findPagingFields(reply, headers);
  const toNumber = (kind: PagingField) => parseInteger(found.get(kind)?.value);
  const [page, pages, total, limit] = (['page', 'pages', 'total', 'limit'] as const).map(toNumber);
  const more = parseFlag(found.get('more')?.value);
  const stated = found.get('next') ?? found.get('cursor');
  const isLast = more === false || (stated !== undefined && isEmpty(stated.value));
  // If pages are numbered from 0, the last page's number is one less than the number of pages.
  const isNumbered = !stated && !isLast && page !== undefined && page < (pages ?? 0) - (page === 0 ? 1 : 0);
  const next = isNumbered ? query('page', page + 1) : stated && toNextPage(stated);
  // The number of pages alone doesn't say which page this is, and a full page alone doesn't say whether it's
  // the last.
  const isUncertain = page === undefined ? (pages ?? 1) > 1 : pages === undefined && total === undefined;
  const isFull = page === undefined || (limit !== undefined && longestList(reply) >= limit);
  return {
    hasMore: next !== undefined || more === true || (!isLast && isUncertain && isFull),
    ...(next && { next }),
    ...(pages !== undefined && { pages }),
    ...(total !== undefined && { total }),
  };
}

/** Returns whether a field beside a list is about paging or a quota, so it can't contain entries. */
export function isBesideList(field: string, value: unknown): boolean {
  const name = normalizeFieldName(field);
  if (typeof value === 'object') return pagingName.test(name) || (isRecord(value) && quotaName.test(name));
  // Entries can have a size too.
  return name !== 'size' && (quotaField.test(name) || pagingFields.some((kind) => names[kind].test(name)));
}

function findPagingFields(reply: unknown, headers: Readonly<Record<string, unknown>>): Found {
  const found: Found = new Map();
  const link = [headers.link].flat().map(findNextLink).find(Boolean);
  if (link) found.set('next', { field: 'next', value: link });
  const outer = isRecord(reply) ? [reply, reply.data].filter(isRecord) : [];
  for (const record of [...outer, ...outer.flatMap(listInner)]) collect(found, record, false);
  return found;
}

/**
 * Lists the records in a record that can contain the list. A map by name has none, because its entries say
 * nothing about pages.
 */
function listInner(record: ServiceRecord): readonly ServiceRecord[] {
  const inner = Object.entries(record).filter(([field]) => !quotaName.test(normalizeFieldName(field)));
  const records = inner.map(([, value]) => value).filter(isRecord);
  return records.length > maxInnerRecords ? [] : records;
}

/** Adds the paging fields in a record and its paging objects. The outermost field of each kind wins. */
function collect(found: Found, record: ServiceRecord, isPaging: boolean): void {
  const fields = Object.entries(record).map(([field, value]) => ({
    field,
    value,
    name: normalizeFieldName(field),
  }));
  const isQuota = fields.some(({ name }) => quotaField.test(name));
  const isBeside = isPaging || (!isQuota && fields.some(({ value }) => isListLike(value)));
  for (const { field, value, name } of isBeside ? fields : []) {
    const kind = pagingFields.find((one) => names[one].test(name));
    if (kind && !found.has(kind) && !Array.isArray(value)) found.set(kind, { field, value });
  }
  // In a list of links, `rel` says what each one is.
  if (isPaging && record.rel === 'next' && !found.has('next'))
    found.set('next', { field: 'next', value: record });
  for (const { value, name } of fields)
    if (pagingName.test(name))
      for (const inner of [value].flat()) if (isRecord(inner)) collect(found, inner, true);
}

/** Returns whether a value is a list, or contains a list or record. */
function isListLike(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.values(value).some((inner) => typeof inner === 'object' && inner !== null);
}

/** Returns the page that a response names by address, number or cursor. */
function toNextPage({
  field,
  value,
}: {
  readonly field: string;
  readonly value: unknown;
}): NextPage | undefined {
  if (isRecord(value)) {
    const [inner] = findValues(value, ['href', 'url', 'uri', 'link', 'cursor', 'token', 'page', 'number']);
    return isRecord(inner) ? undefined : toNextPage({ field, value: inner });
  }
  const text = toText(value);
  if (text === undefined) return undefined;
  if (/^(https?:\/\/|\.?\/|\?)/i.test(text)) return { kind: 'url', url: text };
  if (names.cursor.test(normalizeFieldName(field))) return query(toCursorParam(field), text);
  return parseInteger(value, 1) === undefined ? query('cursor', text) : query('page', text);
}

/** Returns the query parameter of a cursor: `next_cursor` is sent back as `cursor`, `nextPageToken` as `pageToken`. */
function toCursorParam(field: string): string {
  const rest = field.replace(/^next[_-]?/i, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

function query(param: string, value: string | number): NextPage {
  return { kind: 'query', param, value: String(value) };
}

/** Lists a record's fields that are only about paging. */
export function listPagingFields(record: ServiceRecord, isInPaging: boolean): readonly string[] {
  const kinds = Object.keys(record).flatMap((field) => {
    const kind = pagingFields.find((own) => names[own].test(normalizeFieldName(field)));
    return kind && typeof record[field] !== 'object' ? [{ field, kind }] : [];
  });
  const isPaging = isInPaging || kinds.some(({ kind }) => pageFields.has(kind));
  return isPaging ? kinds.map(({ field }) => field) : [];
}

/** Returns the URL of `rel="next"` in a `Link` header. */
function findNextLink(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  return header
    .split(/,(?=\s*<)/)
    .map((link) => /^\s*<([^<>]*)>\s*;(.*)$/.exec(link))
    .find((link) => link !== null && /(^|[\s;])rel="?([^"]*\s)?next[\s"]*(;|$)/i.test(link[2] ?? ''))?.[1];
}

/** Merges the payloads of a list's pages, with the entries of all pages in order. */
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
  /** Number of pages read, with one call per page. */
  readonly pages: number;
  /** Number of pages in the whole list, as far as the service reports it. */
  readonly allPages: number;
  /** Number of entries in the whole list, if the service reports it. */
  readonly total?: number | undefined;
  /** Whether there may be more entries than the payload contains. */
  readonly hasMore: boolean;
  /** Time (epoch ms) at which the first page was read. */
  readonly atMs: number;
}

const pagesRead = new WeakMap<object, PagesRead>();

/** Records how a list's payload was read. */
export function setPagesRead(data: unknown, read: PagesRead): void {
  if (typeof data === 'object' && data !== null) pagesRead.set(data, read);
}

/** Returns how a list's payload was read, or undefined if the client didn't read it as a list. */
export function findPagesRead(data: unknown): PagesRead | undefined {
  return typeof data === 'object' && data !== null ? pagesRead.get(data) : undefined;
}

/**
 * Returns whether there may be more entries than the `count` in a payload, because the client couldn't read
 * all pages or the payload's total is higher.
 */
export function hasMorePages(data: unknown, count: number): boolean {
  const { hasMore, total = 0 } = findPagesRead(data) ?? readPaging(data);
  return hasMore || total > Math.max(count, longestList(data));
}

/** Returns the length of the longest list in a payload, including entries without a name. */
export function longestList(data: unknown, depth = 3): number {
  if (Array.isArray(data)) return data.length;
  if (!isRecord(data) || depth === 0) return 0;
  return Object.values(data).reduce<number>((max, value) => Math.max(max, longestList(value, depth - 1)), 0);
}
