import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuditEntry } from '../audit-entry.ts';
import type { AuditCursor, AuditQuery, AuditStore } from '../audit-store.ts';
import type { AuditFilter } from '../audit-visibility.ts';
import type { PageRequest } from './history-arguments.ts';

/** Entries per page. 25 are readable on a phone. */
export const pageSize = 25;

/** Number of entries read first. Most pages need no more. */
const firstBatchSize = 2 * pageSize;
/** Number of entries in each later read. They block the event loop for about 10 ms with SQLite. */
const batchSize = 200;

/** Maximum number of entries read for one page, in case few match. The next page continues the search. */
const maxEntriesRead = firstBatchSize + 5_000;

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The start of the next page. Undefined if there can't be older entries. */
  readonly older?: AuditCursor;
  readonly newer?: AuditCursor;
  /** The time of the last entry searched. Set only if the search reached its limit before the page was full. */
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
    // No newer entries are left: show the first page, including entries added since.
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
  /** The start of the next page. */
  readonly next?: AuditCursor | undefined;
  /** The entry at which the search stopped before the page was full. */
  readonly searchedTo?: AuditCursor | undefined;
}

/** Reads from a cursor until the page is full or the search limit is reached. */
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
    // A match that doesn't fit means there is another page.
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
