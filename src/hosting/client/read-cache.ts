import { ageMsOf } from '../../time/age.ts';
import type { Lane, OnQueued, WaitReason } from '../quota/rate-limiter.ts';
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
  readonly onQueued?: OnQueued;
  readonly loadNext: LoadNext;
}

/** Callbacks with which a new read reports its progress, and the signal that cancels it. */
interface ReadEvents {
  readonly signal: AbortSignal;
  /** Called with the wait for the quota. Undefined if no caller wants to know it. */
  readonly onQueued: OnQueued | undefined;
  /** Must be called after each page. */
  readonly onPage: () => void;
}

interface InFlightRead {
  readonly walk: PageWalk;
  readonly cancellation: SharedCancellation;
  readonly waitNotifier: WaitNotifier;
}

export interface ReadCache {
  /**
   * Returns the result of a read of this URL that is in flight or at most `maxAgeMs` old.
   * Otherwise, `start` begins a new read. A person's read doesn't join a read in the background
   * lane. Reads with different deadlines don't join each other.
   */
  getOrLoad(url: string, options: ReadOptions, start: (events: ReadEvents) => PageWalk): Promise<unknown>;
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
  const inFlight = new Map<string, InFlightRead>();
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

  return {
    async getOrLoad(url, options, start) {
      const { lane, notAfterMs, maxAgeMs = 0, signal, onQueued } = options;
      const cached = reads.get(url);
      if (cached && isUsable(cached, options)) {
        if (maxAgeMs > cached.acceptedAgeMs) reads.set(url, { ...cached, acceptedAgeMs: maxAgeMs });
        options.onStored?.(now() - cached.atMs);
        return readPages(cached.walk, options);
      }
      const startGeneration = generation;
      const flightKey = (joinedLane: Lane) => `${startGeneration} ${joinedLane} ${notAfterMs} ${url}`;
      const running = inFlight.get(flightKey('people')) ?? inFlight.get(flightKey(lane));
      if (running) {
        running.waitNotifier.subscribe(onQueued);
        return running.cancellation.add(signal, readPages(running.walk, options));
      }
      const waitNotifier = createWaitNotifier(now);
      waitNotifier.subscribe(onQueued);
      const cancellation = createSharedCancellation(() => inFlight.delete(flightKey(lane)));
      let isStored = false;
      const walk = start({
        signal: cancellation.signal,
        onQueued: waitNotifier.notify,
        onPage() {
          const current = reads.peek(url);
          if (isStored && current?.walk === walk) reads.set(url, current);
          if (isStored || startGeneration !== generation) return;
          reads.set(url, { walk, atMs: now(), acceptedAgeMs: maxAgeMs });
          isStored = true;
        },
      });
      const own = { walk, cancellation, waitNotifier };
      inFlight.set(flightKey(lane), own);
      const forget = () => inFlight.get(flightKey(lane)) === own && inFlight.delete(flightKey(lane));
      void walk.started.finally(forget).catch(() => undefined);
      return cancellation.add(signal, readPages(walk, options));
    },

    invalidate(isAffected) {
      generation += 1;
      for (const [url, read] of reads.list()) {
        if (isLongList(read.walk.pageCount()) || !isAffected(url)) continue;
        // The names in an outdated list are still of use.
        reads.set(url, { ...read, isOutdated: true });
      }
    },
  };
}

/** Notifies all callers of a shared read how long it has to wait. */
interface WaitNotifier {
  /** Notifies a caller of the wait; immediately if the wait is already known. */
  subscribe(onQueued: OnQueued | undefined): void;
  readonly notify: OnQueued;
}

function createWaitNotifier(now: () => number): WaitNotifier {
  const listeners: OnQueued[] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  let waitReason: WaitReason = 'quota';
  return {
    subscribe(onQueued) {
      if (!onQueued) return;
      listeners.push(onQueued);
      if (untilMs > now()) onQueued(untilMs - now(), waitReason);
    },
    notify(waitMs, reason) {
      untilMs = now() + waitMs;
      waitReason = reason;
      for (const onQueued of listeners) onQueued(waitMs, reason);
    },
  };
}

/** Lets each caller of a shared read cancel it. */
interface SharedCancellation {
  /** Aborts when all callers have cancelled the read. */
  readonly signal: AbortSignal;
  /** Returns a caller's result. Rejects with the reason of its signal if that aborts before. */
  add(signal: AbortSignal | undefined, result: Promise<unknown>): Promise<unknown>;
}

function createSharedCancellation(onCancelled: () => void): SharedCancellation {
  const controller = new AbortController();
  let callerCount = 0;
  return {
    signal: controller.signal,
    async add(signal, result) {
      callerCount += 1;
      if (!signal) return result;
      const { promise: cancelled, reject } = Promise.withResolvers<never>();
      const cancel = () => {
        reject(signal.reason);
        callerCount -= 1;
        if (callerCount > 0) return;
        onCancelled();
        controller.abort(signal.reason);
      };
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      try {
        return await Promise.race([result, cancelled]);
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}
