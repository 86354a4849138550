import { LRUCache } from 'lru-cache';
import { ageMsOf } from '../../time/age.ts';
import { HostingError } from '../hosting-error.ts';
import type { LoadedPage } from './paged-read.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly maxAgeMs?: number;
  /** If set, accepts only a result that arrived at this time (epoch ms) or later, whatever its age. */
  readonly notBeforeMs?: number;
  readonly onStored?: (ageMs: number) => void;
}

/** The signal that ends a new read's wait, and callbacks that the read must call around its attempts. */
interface ReadEvents {
  /** Aborts when the read is cancelled or an identical read is sent. */
  readonly signal: AbortSignal;
  /** Called right before an attempt is sent. Throws if an identical read is in flight. */
  readonly beforeSend: () => void;
  /** Called when an attempt has failed and another attempt follows. */
  readonly onRetry: () => void;
}

interface SentRead {
  readonly result: Promise<LoadedPage>;
  /** Resolves when the attempt has failed and another attempt follows. */
  readonly failed: PromiseWithResolvers<void>;
}

export interface ReadCache {
  /**
   * Returns the result of a read of this URL that is in flight or at most `maxAgeMs` old. If there is
   * none, `start` begins a new read. Identical reads wait for the quota separately, each in its own
   * caller's turn, but the first one sent answers them all.
   */
  read(
    url: string,
    options: ReadOptions,
    start: (events: ReadEvents) => Promise<LoadedPage>,
  ): Promise<LoadedPage>;
  /** Drops all results, including those of reads in flight. Called after each change. */
  clear(): void;
}

/** Thrown to end a read's wait because an identical read is in flight. */
class AlreadySentError extends Error {
  readonly sent: SentRead;

  constructor(sent: SentRead) {
    super('an identical read was sent');
    this.sent = sent;
  }
}

/** Maximum size of all stored reads, in characters of the service's responses. */
const maxSize = 64 * 1024 * 1024;
/** Added to each entry's size, in characters, to limit the number of small entries. */
const entrySize = 1_000;
/** How long results are stored. No caller accepts older results. */
const lifetimeMs = 60 * 60_000;
/**
 * How long a multi-page list is reused, per page. Longer lists are reused longer, because reading them
 * again costs a call per page.
 */
const msPerPage = 4_000;

/** Returns how long the pages of a list are reused, in ms. */
export function listLifetimeMs(pages: number): number {
  return pages > 1 ? pages * msPerPage : 0;
}

/**
 * Returns a function that returns an API key's cache. All caches share one memory limit, and clients with the
 * same key share a cache.
 */
export function createReadCaches(now: () => number): (fingerprint: string) => ReadCache {
  const stored = new LRUCache<string, LoadedPage>({
    // With `max` instead, the memory for all entries would be allocated at once.
    maxSize,
    sizeCalculation: ({ size }) => size + entrySize,
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
  stored: LRUCache<string, LoadedPage>,
  now: () => number,
): ReadCache {
  const sentReads = new Map<string, SentRead>();
  /** Reads waiting for the quota. */
  const waiting = new Set<{ readonly url: string; readonly wait: AbortController }>();
  let generation = 0;
  const toKey = (url: string) => `${fingerprint} ${generation} ${url}`;

  function findStored(
    url: string,
    { maxAgeMs = 0, notBeforeMs, onStored }: ReadOptions,
  ): LoadedPage | undefined {
    const found = stored.get(toKey(url));
    if (!found) return undefined;
    if (notBeforeMs !== undefined) return found.atMs >= notBeforeMs ? found : undefined;
    const ageMs = ageMsOf(found.atMs, now());
    const oldestMs = Math.max(maxAgeMs, listLifetimeMs(found.allPages ?? 1));
    if (oldestMs === 0 || ageMs > oldestMs) return undefined;
    onStored?.(ageMs);
    return found;
  }

  /**
   * Shares an identical read in flight. Starts a separate read if the shared attempt fails, because its
   * retry would wait for another caller's turn, or if the other caller ended the shared read.
   */
  async function join(sent: SentRead, ...read: Parameters<ReadCache['read']>): Promise<LoadedPage> {
    const result = sent.result.catch((error: unknown) => {
      if (error instanceof HostingError) throw error;
      return undefined;
    });
    const hasFailed = sent.failed.promise.then(() => undefined);
    return (await Promise.race([result, hasFailed])) ?? load(...read);
  }

  async function load(...read: Parameters<ReadCache['read']>): Promise<LoadedPage> {
    const [url, options, start] = read;
    const found = findStored(url, options);
    if (found) return found;
    const inFlight = sentReads.get(url);
    if (inFlight) return join(inFlight, ...read);
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
        // The rate limiter gives up on a check that takes too long, but the check keeps running.
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
      const page = await result;
      stored.purgeStale();
      // If the cache was cleared in the meantime, no one looks up this key.
      stored.set(key, page);
      return page;
    } catch (error) {
      if (error instanceof AlreadySentError) return join(error.sent, ...read);
      throw error;
    } finally {
      hasEnded = true;
      endAttempt();
      waiting.delete(own);
    }
  }

  return {
    read: load,
    clear() {
      for (const key of [...stored.keys()]) if (key.startsWith(`${fingerprint} `)) stored.delete(key);
      generation += 1;
      sentReads.clear();
    },
  };
}
