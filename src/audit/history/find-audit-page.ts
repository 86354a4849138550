import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuditEntry } from '../audit-entry.ts';
import type { AuditCursor, AuditQuery, AuditStore } from '../audit-store.ts';
import type { AuditFilter } from '../audit-visibility.ts';
import type { PageRequest } from './history-arguments.ts';

/** Number of entries per page. More than 25 aren't readable on a phone. */
export const pageSize = 25;

/** Number of entries in the first read. Most pages need only this one. */
const firstBatchSize = 2 * pageSize;
/** Number of entries in each later read. Reading 200 entries blocks the event loop for about 10 ms with SQLite. */
const batchSize = 200;

/**
 * Maximum number of entries read for one page, in case only a few match. The next page continues the
 * search from there.
 */
const maxEntriesRead = firstBatchSize + 5_000;

export interface AuditPage {
  /** The page's entries, newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page starts. Undefined if there can't be any older entries. */
  readonly older?: AuditCursor;
  readonly newer?: AuditCursor;
  /**
   * The time (epoch ms) of the last entry searched. Set only if the search reached its limit before the
   * page was full.
   */
  readonly searchedToMs?: number;
}

export async function findAuditPage(
  store: Pick<AuditStore, 'read'>,
  query: AuditQuery,
  matches: AuditFilter,
  page?: PageRequest,
): Promise<AuditPage> {
  const { direction, from } = page ?? { direction: 'older' };
  const { entries, next, searchedTo } = await collectEntries(store, query, matches, { direction, from });
  if (direction === 'newer') {
    // There are no newer entries beyond these, so the first page is shown. It includes entries added in
    // the meantime.
    if (!next) return findAuditPage(store, query, matches);
    return { entries: entries.toReversed(), older: toCursor(entries[0]) ?? next, newer: next };
  }
  return {
    entries,
    ...(next && { older: next }),
    ...(from && { newer: toCursor(entries[0]) ?? from }),
    ...(searchedTo && { searchedToMs: searchedTo.requestedMs }),
  };
}

interface CollectedEntries {
  readonly entries: readonly AuditEntry[];
  /** Where the next page starts. */
  readonly next?: AuditCursor | undefined;
  /** The entry at which the search stopped before the page was full. */
  readonly searchedTo?: AuditCursor | undefined;
}

/** Reads entries from a cursor on, until the page is full or the search limit is reached. */
async function collectEntries(
  store: Pick<AuditStore, 'read'>,
  query: AuditQuery,
  matches: AuditFilter,
  {
    direction,
    from,
  }: { readonly direction: PageRequest['direction']; readonly from: AuditCursor | undefined },
): Promise<CollectedEntries> {
  const found: AuditEntry[] = [];
  let at = from;
  for (let read = 0; read < maxEntriesRead; ) {
    if (read > 0) await yieldToEventLoop();
    const limit = read === 0 ? firstBatchSize : batchSize;
    const batch = await store.read(query, { direction, from: at, limit });
    found.push(...batch.entries.filter(matches));
    const entries = found.slice(0, pageSize);
    // If there are more matches than fit, there is another page.
    if (found.length > pageSize) return { entries, next: toCursor(entries.at(-1)) };
    if (!batch.next) return { entries };
    at = batch.next;
    read += limit;
  }
  return { entries: found, next: at, searchedTo: at };
}

function toCursor(run: AuditEntry | undefined): AuditCursor | undefined {
  return run && { requestedMs: run.requestedMs, id: run.id };
}
