import { LRUCache } from 'lru-cache';
import { ageMsOf } from '../../time/age.ts';
import type { Lane } from '../quota/rate-limiter.ts';
import type { PagedRead, PageOptions } from './paged-read.ts';

interface ReadOptions {
  readonly lane: Lane;
  readonly signal?: AbortSignal;
  readonly notAfterMs?: number;
  readonly maxAgeMs?: number;
  readonly onStored?: (ageMs: number) => void;
  readonly maxPages?: number;
  readonly pagesTimeoutMs?: number;
  readonly loadNext: PageOptions['loadNext'];
}

/** Callbacks with which a new read reports its progress, and the signal that ends its wait. */
interface ReadEvents {
  /** Aborts when the read is cancelled, or an identical one is sent. */
  readonly signal: AbortSignal;
  /** Must be called right before each attempt is sent. Throws if an identical read is in flight. */
  readonly beforeSend: () => void;
  /** Must be called when an attempt failed and another one follows. */
  readonly onRetry: () => void;
}

type StartRead = (events: ReadEvents) => Promise<PagedRead>;

export interface ReadCache {
  /**
   * Returns the result of a read of this URL that is in flight or at most `maxAgeMs` old.
   * Otherwise, `start` begins a new read. Identical reads each wait for the quota in their own caller's
   * turn. The first one that is sent answers them all.
   */
  read(url: string, options: ReadOptions, start: StartRead): Promise<unknown>;
  /** Drops all results, and those of reads in flight. Called after each change. */
  clear(): void;
}

interface StoredRead {
  readonly read: PagedRead;
  /** When the first page arrived. */
  readonly atMs: number;
}

/** A read whose first page was requested. */
interface SentRead {
  readonly result: Promise<PagedRead>;
  /** Resolves when the attempt failed and the read waits for the quota again. */
  readonly failed: PromiseWithResolvers<void>;
}

/** Ends the wait of a read because an identical one is in flight. */
class AlreadySentError extends Error {
  readonly sent: SentRead;

  constructor(sent: SentRead) {
    super('an identical read was sent');
    this.sent = sent;
  }
}

/** Limits the memory for stored reads, in characters of the service's responses. */
const maxSize = 64 * 1024 * 1024;
/** Characters that an entry counts in addition to its responses. Limits the number of small entries. */
const entrySize = 1_000;
/** No caller accepts older results. */
const lifetimeMs = 60 * 60_000;
/** How long a person waits for pages after the first. */
const pagesTimeoutForPeopleMs = 5_000;
/** A list of several pages is reused for this long per page, because reading it again costs more calls. */
const msPerPage = 4_000;

/** Returns how long the pages of a list are reused, in ms. */
export function listLifetimeMs(pages: number): number {
  return pages > 1 ? pages * msPerPage : 0;
}

/**
 * Returns a function that returns the cache of an API key. All caches share one memory limit. Clients
 * with the same key share its cache.
 */
export function createReadCaches(now: () => number): (fingerprint: string) => ReadCache {
  const stored = new LRUCache<string, StoredRead>({
    // With `max` instead, the memory for all entries would be allocated at once.
    maxSize,
    sizeCalculation: ({ read }) => read.size() + entrySize,
    ttl: lifetimeMs,
    perf: { now: () => now() + 1 },
    ttlResolution: 0,
  });
  const caches = new Map<string, ReadCache>();
  return (fingerprint) => {
    const cache = caches.get(fingerprint) ?? createReadCache(fingerprint, stored, now);
    caches.set(fingerprint, cache);
    return cache;
  };
}

function createReadCache(
  fingerprint: string,
  stored: LRUCache<string, StoredRead>,
  now: () => number,
): ReadCache {
  const sentReads = new Map<string, SentRead>();
  /** The reads that wait for the quota. */
  const waiting = new Set<{ readonly url: string; readonly wait: AbortController }>();
  let generation = 0;
  const toKey = (url: string) => `${fingerprint} ${generation} ${url}`;

  function findStored(url: string, { maxAgeMs = 0, onStored }: ReadOptions): PagedRead | undefined {
    const found = stored.get(toKey(url));
    const ageMs = found ? ageMsOf(found.atMs, now()) : 0;
    const oldestMs = found ? Math.max(maxAgeMs, listLifetimeMs(found.read.pageCount())) : 0;
    if (!found || oldestMs === 0 || ageMs > oldestMs) return undefined;
    onStored?.(ageMs);
    return found.read;
  }

  /** Shares a read in flight. If its attempt fails, reads on its own, because the next attempt waits in another turn. */
  async function join(sent: SentRead, url: string, options: ReadOptions, start: StartRead) {
    const hasFailed = sent.failed.promise.then(() => undefined);
    return (await Promise.race([sent.result, hasFailed])) ?? load(url, options, start);
  }

  async function load(url: string, options: ReadOptions, start: StartRead): Promise<PagedRead> {
    const found = findStored(url, options);
    if (found) return found;
    const inFlight = sentReads.get(url);
    if (inFlight) return join(inFlight, url, options, start);
    const own = { url, wait: new AbortController() };
    waiting.add(own);
    let sent: SentRead | undefined;
    let hasEnded = false;
    let key = toKey(url);
    const endAttempt = () => {
      if (sent && sentReads.get(url) === sent) sentReads.delete(url);
    };
    const { signal } = options;
    const result = start({
      signal: signal ? AbortSignal.any([signal, own.wait.signal]) : own.wait.signal,
      beforeSend() {
        // The quota gives up on checks that take too long, but they keep running.
        if (hasEnded) throw new Error('the read has ended');
        const other = sentReads.get(url);
        if (other && other !== sent) throw new AlreadySentError(other);
        sent = { result, failed: Promise.withResolvers() };
        key = toKey(url);
        sentReads.set(url, sent);
        waiting.delete(own);
        const error = new AlreadySentError(sent);
        for (const same of waiting) if (same.url === url) same.wait.abort(error);
      },
      onRetry() {
        endAttempt();
        waiting.add(own);
        sent?.failed.resolve();
      },
    });
    try {
      const read = await result;
      stored.purgeStale();
      // After a change, nobody looks for this key.
      stored.set(key, { read, atMs: now() });
      return read;
    } catch (error) {
      if (error instanceof AlreadySentError) return join(error.sent, url, options, start);
      throw error;
    } finally {
      hasEnded = true;
      endAttempt();
      waiting.delete(own);
    }
  }

  return {
    async read(url, options, start) {
      const { lane, notAfterMs, maxPages, pagesTimeoutMs, loadNext } = options;
      const read = await load(url, options, start);
      const limitMs = pagesTimeoutMs ?? (lane === 'people' ? pagesTimeoutForPeopleMs : undefined);
      const leftMs = notAfterMs === undefined ? undefined : notAfterMs - now();
      const limits = [limitMs, leftMs].filter((ms) => ms !== undefined);
      return read.read({ loadNext, maxPages, ...(limits.length > 0 && { timeoutMs: Math.min(...limits) }) });
    },
    clear() {
      for (const key of [...stored.keys()]) if (key.startsWith(`${fingerprint} `)) stored.delete(key);
      generation += 1;
      sentReads.clear();
    },
  };
}
