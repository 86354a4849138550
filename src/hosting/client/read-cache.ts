import { ageMsOf } from '../../time/age.ts';
import type { Lane } from '../quota/rate-limiter.ts';
import { isLongList, listLifetimeMs, maxPagesForPeople, maxPagesInBackground } from './list-pace.ts';
import type { LoadNext, OnPages, PageWalk } from './page-walk.ts';
import { createReadStore, type KeyReads, type StoredRead } from './read-store.ts';

interface ReadOptions {
  readonly lane: Lane;
  readonly notAfterMs?: number;
  readonly maxAgeMs?: number;
  readonly onStored?: (ageMs: number) => void;
  readonly maxPages?: number;
  readonly pagesTimeoutMs?: number;
  readonly onPages?: OnPages;
  readonly acceptsOutdated?: boolean;
  readonly signal?: AbortSignal;
  readonly loadNext: LoadNext;
}

/** Callbacks with which a new read reports its progress, and the signal that ends its wait. */
interface ReadEvents {
  /** Aborts when the read is cancelled, or an identical one is sent. */
  readonly signal: AbortSignal;
  /** Must be called right before each attempt is sent. Throws if an identical read is in flight. */
  readonly beforeSend: () => void;
  /** Must be called when an attempt failed and another one follows. */
  readonly onRetry: () => void;
  /** Must be called after each page. */
  readonly onPage: () => void;
}

type StartWalk = (events: ReadEvents) => PageWalk;

/** A read in flight. */
interface SentRead {
  readonly walk: PageWalk;
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

export interface ReadCache {
  /**
   * Returns the result of a read of this URL that is in flight or at most `maxAgeMs` old.
   * Otherwise, `start` begins a new read. Identical reads each wait for the quota in their own caller's
   * turn. The first one that is sent answers them all.
   */
  getOrLoad(url: string, options: ReadOptions, start: StartWalk): Promise<unknown>;
  /**
   * Makes later reads ignore the results of earlier reads that a change can have changed, and of
   * all reads in flight. Lists with more than 20 pages are kept, because reading them again would
   * use up the quota.
   */
  invalidate(isAffected: (url: string) => boolean): void;
}

/** How long a person waits for pages after the first. */
const pagesTimeoutForPeopleMs = 5_000;

/** How long callers can join a list that is still being read. */
const maxJoinAgeMs = 60_000;

/**
 * Returns a function that returns the cache of an API key. All caches share one memory limit. Clients
 * with the same key share its cache.
 */
export function createReadCaches(now: () => number): (fingerprint: string) => ReadCache {
  const readsOf = createReadStore(now);
  const caches = new Map<string, ReadCache>();
  return (fingerprint) => {
    const cache = caches.get(fingerprint) ?? createReadCache(readsOf(fingerprint), now);
    caches.set(fingerprint, cache);
    return cache;
  };
}

function createReadCache(reads: KeyReads, now: () => number): ReadCache {
  const sentReads = new Map<string, SentRead>();
  /** The reads that wait for the quota. */
  const waiting = new Set<{ readonly url: string; readonly wait: AbortController }>();
  let generation = 0;

  /** Returns whether a stored read is recent enough. */
  function isUsable({ walk, atMs, isOutdated }: StoredRead, options: ReadOptions): boolean {
    const { lane, maxAgeMs = 0, acceptsOutdated } = options;
    if (isOutdated && !acceptsOutdated) return false;
    const ageMs = ageMsOf(atMs, now());
    if (walk.isReading() && (lane === 'background' || ageMs <= maxJoinAgeMs)) return true;
    const pageCount = walk.pageCount();
    const isAgeAccepted = maxAgeMs > 0 || isLongList(pageCount);
    return isAgeAccepted && ageMs <= Math.max(maxAgeMs, listLifetimeMs(pageCount));
  }

  function readPages(
    walk: PageWalk,
    { lane, notAfterMs, maxPages, pagesTimeoutMs, onPages, loadNext }: ReadOptions,
  ) {
    const isForPerson = lane === 'people';
    const timeoutMs = Math.min(
      pagesTimeoutMs ?? (isForPerson ? pagesTimeoutForPeopleMs : Number.POSITIVE_INFINITY),
      notAfterMs === undefined ? Number.POSITIVE_INFINITY : notAfterMs - now(),
    );
    return walk.read({
      maxPages: Math.min(
        maxPages ?? (isForPerson ? maxPagesForPeople : maxPagesInBackground),
        maxPagesInBackground,
      ),
      ...(timeoutMs < Number.POSITIVE_INFINITY && { timeoutMs }),
      onPages,
      loadNext,
    });
  }

  /** Shares a read in flight. If its attempt fails, reads on its own, because the next attempt waits in another turn. */
  async function join(sent: SentRead, url: string, options: ReadOptions, start: StartWalk): Promise<unknown> {
    const result = readPages(sent.walk, options);
    const hasFailed = sent.failed.promise.then(() => true);
    return (await Promise.race([result.then(() => false), hasFailed]))
      ? getOrLoad(url, options, start)
      : result;
  }

  async function getOrLoad(url: string, options: ReadOptions, start: StartWalk): Promise<unknown> {
    const { maxAgeMs = 0, signal } = options;
    const cached = reads.get(url);
    if (cached && isUsable(cached, options)) {
      if (maxAgeMs > cached.acceptedAgeMs) reads.set(url, { ...cached, acceptedAgeMs: maxAgeMs });
      options.onStored?.(now() - cached.atMs);
      return readPages(cached.walk, options);
    }
    const inFlight = sentReads.get(url);
    if (inFlight) return join(inFlight, url, options, start);
    const own = { url, wait: new AbortController() };
    waiting.add(own);
    let sent: SentRead | undefined;
    let sentGeneration = generation;
    let isStored = false;
    const endAttempt = () => {
      if (sent && sentReads.get(url) === sent) sentReads.delete(url);
    };
    const walk = start({
      signal: signal ? AbortSignal.any([signal, own.wait.signal]) : own.wait.signal,
      beforeSend() {
        const other = sentReads.get(url);
        if (other && other !== sent) throw new AlreadySentError(other);
        sent = { walk, failed: Promise.withResolvers() };
        sentGeneration = generation;
        sentReads.set(url, sent);
        waiting.delete(own);
        const error = new AlreadySentError(sent);
        for (const other of waiting) if (other.url === url) other.wait.abort(error);
      },
      onRetry() {
        endAttempt();
        waiting.add(own);
        sent?.failed.resolve();
      },
      onPage() {
        const current = reads.peek(url);
        if (isStored && current?.walk === walk) reads.set(url, current);
        if (isStored || sentGeneration !== generation) return;
        reads.set(url, { walk, atMs: now(), acceptedAgeMs: maxAgeMs });
        isStored = true;
      },
    });
    const end = () => {
      endAttempt();
      waiting.delete(own);
    };
    walk.started.then(end, end);
    try {
      return await readPages(walk, options);
    } catch (error) {
      if (error instanceof AlreadySentError) return join(error.sent, url, options, start);
      throw error;
    }
  }

  return {
    getOrLoad,

    invalidate(isAffected) {
      generation += 1;
      sentReads.clear();
      for (const [url, read] of reads.list()) {
        if (isLongList(read.walk.pageCount()) || !isAffected(url)) continue;
        // The names in an outdated list are still of use.
        reads.set(url, { ...read, isOutdated: true });
      }
    },
  };
}
