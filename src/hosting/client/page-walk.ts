import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import { mergePages } from '../profile/pages/merge-pages.ts';
import type { PageHints } from '../profile/pages/page-hints.ts';
import { type NextRequest, type PageStatus, toPageStatus } from '../profile/pages/page-status.ts';
import { countEntries, setPagesRead } from '../profile/payload/pagination.ts';
import type { ListEntries } from '../profile/resources/list-entries.ts';

/** A reply that can be one page of several. */
export interface LoadedPage {
  readonly data: unknown;
  /** Length of the body. */
  readonly size: number;
  readonly hints: PageHints;
}

export interface WalkParts {
  /** The first page, or the whole reply of a read that isn't a list. */
  readonly first: Promise<LoadedPage>;
  /** Returns a string that identifies each entry on a page. Undefined for a read that isn't a list. */
  readonly listEntries: ListEntries | undefined;
  /** Called after each page. */
  readonly onPage: () => void;
  readonly now: () => number;
}

/** Reads another page. Returns undefined if the service's address for that page is invalid. */
export type LoadNext = (request: NextRequest) => Promise<LoadedPage | undefined>;

export interface PageLimits {
  /** Reads the further pages for this caller, whose key can differ from the first caller's. */
  readonly loadNext: LoadNext;
  readonly maxPages: number;
  /** How long to wait for pages after the first. By default, there is no limit. */
  readonly timeoutMs?: number;
  /** Called after each further page, with the pages read and the pages of the whole list. */
  readonly onPages?: OnPages | undefined;
}

export type OnPages = (pages: number, allPages: number) => void;

/** A list that is read page by page, for any number of callers at the same time. */
export interface PageWalk {
  /** Resolves when the first page was read. Rejects if that fails. */
  readonly started: Promise<unknown>;
  /**
   * Returns the payload of all pages read so far, merged into one. Resolves after `maxPages`, the
   * last page or the timeout. After a timeout, reading continues up to `maxPages`.
   */
  read(limits: PageLimits): Promise<unknown>;
  /** Returns whether a page is being read. */
  isReading(): boolean;
  /** Returns how many pages the whole list has, according to what is known so far. */
  pageCount(): number;
  /** Returns the total length of the bodies read so far. */
  size(): number;
}

/** Limits how much memory one list can use, in characters. */
const maxSize = 32 * 1024 * 1024;

/** Reads a list page by page, for as long as callers want more and the service has more. */
export function createPageWalk({ first, listEntries, onPage, now }: WalkParts): PageWalk {
  const pages: LoadedPage[] = [];
  const seen = new Set<string>();
  let status: PageStatus = { hasMore: true, next: [] };
  let firstPage: number | undefined;
  let highestTotal = 0;
  let expectedPages = 1;
  let size = 0;
  let atMs = 0;
  /** The query parameter with which the second page could be read. */
  let workingParam: string | undefined;
  let step: Promise<boolean> | undefined = first.then((page) => {
    add(page, listEntries?.(page.data) ?? []);
    return true;
  });
  const started = step.finally(() => {
    step = undefined;
  });
  started.catch(() => undefined);
  let merged: { readonly count: number; readonly data: unknown } | undefined;

  function add(page: LoadedPage, entries: readonly string[]): void {
    pages.push(page);
    size += page.size;
    for (const entry of entries) seen.add(entry);
    if (!listEntries) status = { hasMore: false, next: [] };
    else updateStatus(page, entries.length);
    onPage();
  }

  function updateStatus({ data, hints }: LoadedPage, count: number): void {
    if (pages.length === 1) {
      firstPage = hints.page?.value;
      atMs = now();
    }
    const pageEntries = countEntries(data, count, hints.total);
    const entriesRead = pages.length === 1 ? pageEntries : seen.size;
    status = toPageStatus(hints, { pagesRead: pages.length, entriesRead, pageEntries, firstPage });
    const { total = 0 } = hints;
    expectedPages = hints.pages ?? (pageEntries > 0 ? Math.ceil(total / pageEntries) : 1);
    // If an entry was deleted, the next page can begin one entry too late, so that an entry was
    // missed.
    if (total < highestTotal) status = { ...status, hasMore: true };
    highestTotal = Math.max(highestTotal, total);
    if (size > maxSize) status = { hasMore: true, next: [] };
  }

  function countPages(): number {
    return Math.max(pages.length, expectedPages);
  }

  /** Reads the next page. Returns whether reading can continue. The list ends if there is no next page. */
  async function readNext(loadNext: LoadNext): Promise<boolean> {
    const requests = status.next.filter(
      (request) => workingParam === undefined || toParam(request) === workingParam,
    );
    const found: TriedPage[] = [];
    // Only the second page shows which request the service understands.
    for (const request of pages.length === 1 ? requests : requests.slice(0, 1)) {
      const tried = await tryRequest(request, loadNext);
      if (tried.kind === 'added' || tried.kind === 'failed') return tried.kind === 'added';
      found.push(tried);
    }
    end(found);
    return false;
  }

  async function tryRequest(request: NextRequest, loadNext: LoadNext): Promise<TriedPage> {
    const page = await loadNext(request).catch(ignorePageError);
    if (page === 'retryable') return { kind: 'failed' };
    const entries = page ? (listEntries?.(page.data) ?? []) : [];
    if (page && entries.some((entry) => !seen.has(entry))) {
      workingParam = toParam(request);
      add(page, entries);
      return { kind: 'added' };
    }
    return page && entries.length === 0 ? { kind: 'empty', hints: page.hints } : { kind: 'useless' };
  }

  /**
   * Ends the list after requests that returned nothing new. Without a total, only an empty page
   * shows that the list is complete.
   */
  function end(tried: readonly TriedPage[]): void {
    const last = pages.at(-1)?.hints;
    const empty = tried.find((one) => one.kind === 'empty')?.hints;
    const total = empty?.total ?? last?.total;
    const isShort = total !== undefined && (total > seen.size || total < highestTotal);
    const isClear = empty !== undefined && (last?.isTruncated !== true || empty.isLast === true);
    status = { hasMore: isShort || (total === undefined && !isClear), next: [] };
  }

  async function advance(maxPages: number, loadNext: LoadNext, onPages?: OnPages): Promise<void> {
    while (pages.length < maxPages && status.next.length > 0) {
      step ??= readNext(loadNext).finally(() => {
        step = undefined;
      });
      if (!(await step)) return;
      onPages?.(pages.length, countPages());
    }
  }

  return {
    started,
    async read({ maxPages, timeoutMs, onPages, loadNext }) {
      await started;
      const done = advance(maxPages, loadNext, onPages);
      await (timeoutMs === undefined ? done : withTimeout(done, Math.max(0, timeoutMs), () => undefined));
      if (merged?.count !== pages.length) {
        merged = { count: pages.length, data: mergePages(pages.map(({ data }) => data)) };
      }
      if (listEntries) {
        const allPages = countPages();
        const total = pages.at(-1)?.hints.total;
        setPagesRead(merged.data, { pages: pages.length, allPages, total, hasMore: status.hasMore, atMs });
      }
      return merged.data;
    },
    isReading: () => step !== undefined,
    pageCount: countPages,
    size: () => size,
  };
}

function toParam(request: NextRequest): string {
  return request.kind === 'query' ? request.param : '';
}

/** The result of requesting a page after the first. */
type TriedPage =
  | { readonly kind: 'added' }
  | { readonly kind: 'empty'; readonly hints: PageHints }
  /** The page contained only known entries, or the service rejected the request. */
  | { readonly kind: 'useless' }
  /** The request failed but can succeed later. */
  | { readonly kind: 'failed' };

/**
 * Ignores the failure of a page after the first, so that the pages before it are returned. Rethrows
 * errors that the key or the end of this process causes.
 */
function ignorePageError(error: unknown): 'retryable' | undefined {
  if (!(error instanceof HostingError) || error.code === 'key_rejected') throw error;
  return error.isRetryable ? 'retryable' : undefined;
}
