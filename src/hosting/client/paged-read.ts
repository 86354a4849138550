import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import { saysNone } from '../payloads/entries.ts';
import { longestList, mergePages, type NextPage, type Paging, setPagesRead } from '../payloads/pages.ts';

/** Maximum number of pages read. A longer list may be incomplete. */
export const maxPages = 20;

/** A response that can be one of several pages. */
export interface LoadedPage {
  readonly data: unknown;
  readonly size: number;
  readonly paging: Paging;
  /** When the page arrived (epoch ms). */
  readonly atMs: number;
  /** Number of pages in the whole list, if the service reports it. Set on the first page. */
  allPages?: number;
}

export interface PageOptions {
  /** Returns undefined if the service's link to the page is unusable. */
  readonly loadNext: (next: NextPage) => Promise<LoadedPage | undefined>;
  readonly maxPages?: number | undefined;
  /** How long to wait for pages after the first. By default, there is no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Merged payloads by first page. They're reused, because payload readers cache their results per payload. */
const mergedLists = new WeakMap<
  LoadedPage,
  { readonly pages: readonly LoadedPage[]; readonly data: unknown }
>();

/**
 * Reads the pages after the first, for as long as the service names a next page. Returns the merged
 * payload of all pages read within the limits.
 */
export async function readPages(
  first: LoadedPage,
  { loadNext, maxPages: wanted = maxPages, timeoutMs }: PageOptions,
): Promise<unknown> {
  const known = mergedLists.get(first);
  // Pages that were read earlier don't cost another call.
  const limit = Math.min(Math.max(wanted, known?.pages.length ?? 1), maxPages);
  const pages = [first];
  let { hasMore } = first.paging;

  async function readNext(): Promise<void> {
    const requested = new Set<string>();
    let { next } = first.paging;
    while (next && pages.length < limit && !requested.has(JSON.stringify(next))) {
      requested.add(JSON.stringify(next));
      const page = await loadNext(next).catch(ignoreFailure);
      if (!page) return;
      // Some services name a next page until they return an empty one.
      const isEnd = saysNone(page.data);
      next = isEnd ? undefined : page.paging.next;
      hasMore = !isEnd && page.paging.hasMore;
      pages.push(page);
    }
  }

  const done = readNext();
  await (timeoutMs === undefined ? done : withTimeout(done, Math.max(0, timeoutMs), () => undefined));
  const isKnown = known?.pages.length === pages.length && pages.every((page) => known.pages.includes(page));
  const list = isKnown ? known : { pages: [...pages], data: mergePages(pages.map(({ data }) => data)) };
  mergedLists.set(first, list);
  first.allPages = countPages(first, pages.length);
  const { atMs, allPages } = first;
  const total = pages.at(-1)?.paging.total;
  setPagesRead(list.data, { pages: pages.length, allPages, total, hasMore, atMs });
  return list.data;
}

function countPages({ data, paging: { next, pages, total = 0 } }: LoadedPage, read: number): number {
  const entries = longestList(data);
  const byTotal = entries > 0 ? Math.ceil(total / entries) : 1;
  return Math.max(read, pages ?? (next ? byTotal : 1));
}

/**
 * Ignores a failed read of a later page, so the pages before it are returned. Rethrows `key_rejected`, and
 * errors that aren't HostingErrors.
 */
function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof HostingError) || error.code === 'key_rejected') throw error;
}
