import { parseInteger } from '../values/numbers.ts';
import { isEmpty, isRecord, isVpsName, normalizeFieldName, type ServiceRecord } from '../values/records.ts';
import { type NextAddress, readCursor, readNext } from './next-address.ts';

/** A query parameter whose number says where the next call continues. */
interface NumberedParam {
  readonly param: string;
  readonly value: number;
}

/** Hints in a reply about the pages of its list, in the service's own terms. */
export interface PageHints {
  /** The address of the next page. */
  readonly next?: NextAddress | undefined;
  readonly page?: NumberedParam | undefined;
  readonly pages?: number | undefined;
  readonly offset?: NumberedParam | undefined;
  /** Number of entries on a page. */
  readonly limit?: number | undefined;
  /** Number of entries in the whole list. */
  readonly total?: number | undefined;
  /** Number of entries, either on the page or in the whole list. */
  readonly count?: number | undefined;
  /** Whether a flag says that further pages exist. */
  readonly isTruncated?: boolean | undefined;
  /** Whether an empty `next`, or a flag, says that this is the last page. */
  readonly isLast?: boolean | undefined;
}

type MutableHints = { -readonly [Name in keyof PageHints]: PageHints[Name] | undefined };

/** Maximum depth at which hints are searched in a reply. */
const maxDepth = 4;

/** A record that contains more records than this is a list by name. Its entries contain no hints. */
const maxInnerRecords = 8;

const pagingName = /meta|pag(e|es|inat.*|ing|er)(info)?$|^_?links?$|cursors?$/;
const quotaName = /quota|usage|limits|statistics|^stats$|bandwidth|traffic|billing/;
const quotaField = /^(used|usage|inuse|available|remaining|free|quota|max|maximum|allocated)$/;

const nextField = /^(next|(odata)?next(link|ur[il]|href)|nextpage(link|ur[il])?|nextpage(number|no|index))$/;
const nextOffsetField = /^next(offset|start|skip)$/;
const cursorField =
  /^(next(page)?(cursor|token|marker)|nextkey|(continuation|page)token|endcursor|aftercursor|cursor|marker|scrollid)$/;
/** Names that mean a cursor only if there are other hints. */
const pagingCursorField = /^(after|continue|continuation)$/;
const moreField =
  /^(has(more|next)(pages?|items|results)?|more(pages|results|available)?|(is)?truncated|incomplete(results)?)$/;
const lastField = /^(is)?last(page)?$/;
const pageField = /^(page|(current|cur)page|page(number|num|no|index)|number)$/;
const pagesField =
  /^(pages|total(of)?pages|lastpage|pages?(count|total)|num(berof)?pages|nbpages|maxpages?)$/;
const offsetField = /^(offset|skip|start(index|at)?)$/;
const limitField = /^(limit|perpage|pagesize|size|itemsperpage|pagelimit|maxresults)$/;
const totalField =
  /^(total(count|items|records|results|elements|rows|hits|entries|number|objects|vps|servers|instances|snapshots|vlans|domains|addresses)?|(records|items|count)total|recordsfiltered|fullcount)$/;
const countField = /^((item|result)?count|results)$/;

/** Collects the hints about further pages in a payload or a whole reply, and in its headers. */
export function collectPageHints(reply: unknown, headers: Readonly<Record<string, unknown>> = {}): PageHints {
  const hints: MutableHints = {};
  readHeaders(hints, headers);
  if (isRecord(reply)) readRecord(hints, reply, { depth: maxDepth, isPaging: false });
  return hints;
}

function readRecord(
  hints: MutableHints,
  record: ServiceRecord,
  { depth, isPaging }: { readonly depth: number; readonly isPaging: boolean },
): void {
  const fields = Object.entries(record).map(([field, value]) => ({
    field,
    name: normalizeFieldName(field),
    value,
  }));
  if (isPaging || fields.some(({ value }) => isListLike(value))) {
    const names = new Set(fields.map(({ name }) => name));
    const isQuota = !isPaging && fields.some(({ name }) => quotaField.test(name));
    for (const field of fields) {
      readContinuation(hints, field, isPaging);
      if (!isQuota) readNumber(hints, field, names);
    }
  }
  if (depth === 0) return;
  const inner = fields.filter(({ field, value }) => isRecord(value) && !isVpsName(field));
  for (const { name, value } of inner) {
    const isInnerPaging = pagingName.test(name);
    if (quotaName.test(name) || (!isInnerPaging && inner.length > maxInnerRecords)) continue;
    if (isRecord(value)) readRecord(hints, value, { depth: depth - 1, isPaging: isPaging || isInnerPaging });
  }
}

/** Returns whether a value is a list, or contains a list or record. */
function isListLike(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.values(value).some((inner) => typeof inner === 'object' && inner !== null);
}

interface Field {
  readonly field: string;
  readonly name: string;
  readonly value: unknown;
}

/** Reads a field that says whether the list continues, and where. */
function readContinuation(hints: MutableHints, field: Field, isPaging: boolean): void {
  const { name, value } = field;
  if (Array.isArray(value)) readLinks(hints, name, value);
  else if (nextField.test(name) || nextOffsetField.test(name)) readNextField(hints, field);
  else if (cursorField.test(name) || (isPaging && pagingCursorField.test(name))) {
    if (!isEmpty(value)) hints.next ??= readCursor(value, field.field);
    else if (name.startsWith('next')) hints.isLast = true;
  } else if (moreField.test(name)) readFlag(hints, parseFlag(value));
  else if (lastField.test(name) && typeof value === 'boolean') readFlag(hints, !value);
}

/** Reads a list of links, such as OpenStack's `servers_links` or the links in JSON hypermedia. */
function readLinks(hints: MutableHints, name: string, links: readonly unknown[]): void {
  const link = name.endsWith('links') ? links.filter(isRecord).find(({ rel }) => rel === 'next') : undefined;
  if (link) hints.next ??= readNext(link, 'next');
}

function readNextField(hints: MutableHints, { field, name, value }: Field): void {
  if (value === true) readFlag(hints, true);
  else if (isBlank(value)) readFlag(hints, false);
  else hints.next ??= readNext(value, field, nextOffsetField.test(name));
}

function readFlag(hints: MutableHints, hasMore: boolean | undefined): void {
  if (hasMore === true) hints.isTruncated = true;
  if (hasMore === false) hints.isLast = true;
}

/** Reads a field that contains a number of pages or entries. */
function readNumber(hints: MutableHints, { field, name, value }: Field, names: ReadonlySet<string>): void {
  const number = parseInteger(value);
  if (number === undefined) return;
  if (pagesField.test(name)) hints.pages ??= number;
  else if (pageField.test(name)) {
    // In Spring, `number` is the page's number. `totalPages` beside it shows that this is meant.
    if (name !== 'number' || names.has('totalpages'))
      hints.page ??= { param: toPageParam(field), value: number };
  } else if (offsetField.test(name)) hints.offset ??= { param: field, value: number };
  else if (limitField.test(name)) hints.limit ??= number;
  else if (totalField.test(name)) hints.total ??= number;
  else if (countField.test(name)) hints.count ??= number;
}

/** Returns the query parameter for a page number. It is usually `page`, whatever the reply calls it. */
function toPageParam(field: string): string {
  return /^(page|currentpage|curpage|number)$/.test(normalizeFieldName(field)) ? 'page' : field;
}

function isBlank(value: unknown): boolean {
  return isEmpty(value) || value === false || value === 0;
}

function parseFlag(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === 1) return true;
  return value === false || value === 'false' || value === 0 ? false : undefined;
}

/** Reads the header `Link`, and headers such as `X-Next-Page`, `X-Total-Count` and `X-Pagination`. */
function readHeaders(hints: MutableHints, headers: Readonly<Record<string, unknown>>): void {
  for (const link of [headers.link].flat()) {
    const address = typeof link === 'string' ? findNextLink(link) : undefined;
    if (address !== undefined) hints.next ??= readNext(address, 'next');
  }
  const fields = Object.entries(headers).flatMap(([header, value]) =>
    header.startsWith('x-') && typeof value === 'string'
      ? [[header.slice(2).replaceAll('-', '_'), value]]
      : [],
  );
  readRecord(hints, Object.fromEntries(fields), { depth: 0, isPaging: true });
  const json = headers['x-pagination'];
  const pagination: unknown = typeof json === 'string' ? tryParseJson(json) : undefined;
  if (isRecord(pagination)) readRecord(hints, pagination, { depth: 0, isPaging: true });
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the address of `rel="next"` in a `Link` header. */
function findNextLink(header: string): string | undefined {
  return header
    .split(/,(?=\s*<)/)
    .map((link) => /^\s*<([^<>]*)>\s*;(.*)$/.exec(link))
    .find((link) => link !== null && /(^|[\s;])rel="?([^"]*\s)?next[\s"]*(;|$)/i.test(link[2] ?? ''))?.[1];
}
