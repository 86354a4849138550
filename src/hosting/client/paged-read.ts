import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import { saysNone } from '../payloads/entries.ts';
import { longestList, mergePages, type NextPage, type Paging, setPagesRead } from '../payloads/pages.ts';

/** How many pages of a list are read. A longer list may be incomplete. */
export const maxPages = 20;

/** A reply that can be one page of several. */
export interface LoadedPage {
  readonly data: unknown;
  /** Length of the body. */
  readonly size: number;
  readonly paging: Paging;
}

export interface PageOptions {
  /** Reads a page. Returns undefined if the address that the service gave can't be used. */
  readonly loadNext: (next: NextPage) => Promise<LoadedPage | undefined>;
  readonly maxPages?: number | undefined;
  /** How long to wait for pages after the first. By default, there is no limit. */
  readonly timeoutMs?: number | undefined;
}

/** A read that loads further pages on demand. */
export interface PagedRead {
  /** Returns the payload of the pages that could be read within the limits, merged into one. */
  read(options: PageOptions): Promise<unknown>;
  /** Returns how many pages the whole list has, as far as the service says. */
  pageCount(): number;
  /** Returns the total length of the bodies read so far. */
  size(): number;
}

/** Continues a read page by page, for as long as the service names a next page. */
export function createPagedRead(first: LoadedPage, atMs: number): PagedRead {
  const pages = [first];
  const requested = new Set<string>();
  let next = first.paging.next;
  let hasMore = first.paging.hasMore;
  let step: Promise<boolean> | undefined;
  let merged: { readonly count: number; readonly data: unknown } | undefined;

  /** Reads the next page. Returns whether reading can continue. */
  async function readNext(from: NextPage, loadNext: PageOptions['loadNext']): Promise<boolean> {
    const isRepeated = requested.has(JSON.stringify(from));
    const page = isRepeated ? undefined : await loadNext(from).catch(toFailure);
    // The next reader tries again.
    if (page === 'retryable') return false;
    requested.add(JSON.stringify(from));
    // Some services name a next page until one is empty.
    const isEnd = page !== undefined && saysNone(page.data);
    next = isEnd ? undefined : page?.paging.next;
    hasMore = isEnd ? false : (page?.paging.hasMore ?? true);
    if (page) pages.push(page);
    return page !== undefined;
  }

  async function advance(limit: number, loadNext: PageOptions['loadNext']): Promise<void> {
    while (pages.length < limit && next) {
      const isJoined = step !== undefined;
      step ??= readNext(next, loadNext).finally(() => {
        step = undefined;
      });
      // Another reader's call can fail for a reason of its own, such as a replaced key.
      const canContinue = await step.catch((error: unknown) => {
        if (isJoined) return true;
        throw error;
      });
      if (!canContinue) return;
    }
  }

  function pageCount(): number {
    const entries = longestList(first.data);
    const byTotal = entries > 0 ? Math.ceil((first.paging.total ?? 0) / entries) : 1;
    return Math.max(pages.length, first.paging.pages ?? (next ? byTotal : 1));
  }

  return {
    pageCount,
    size: () => pages.reduce((sum, page) => sum + page.size, 0),
    async read({ loadNext, maxPages: wanted = maxPages, timeoutMs }) {
      const done = advance(Math.min(wanted, maxPages), loadNext);
      await (timeoutMs === undefined ? done : withTimeout(done, Math.max(0, timeoutMs), () => undefined));
      if (merged?.count !== pages.length)
        merged = { count: pages.length, data: mergePages(pages.map(({ data }) => data)) };
      const total = pages.at(-1)?.paging.total;
      setPagesRead(merged.data, { pages: pages.length, allPages: pageCount(), total, hasMore, atMs });
      return merged.data;
    },
  };
}

/**
 * Ignores the failure of a page after the first, so that the pages before it are returned. Rethrows
 * errors that the key or the end of this process causes.
 */
function toFailure(error: unknown): 'retryable' | undefined {
  if (!(error instanceof HostingError) || error.code === 'key_rejected') throw error;
  return error.isRetryable ? 'retryable' : undefined;
}
