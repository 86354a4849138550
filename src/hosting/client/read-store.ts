import { LRUCache } from 'lru-cache';
import { ageMsOf } from '../../time/age.ts';
import { listLifetimeMs } from './list-pace.ts';
import type { PageWalk } from './page-walk.ts';

export interface StoredRead {
  readonly walk: PageWalk;
  /** When the first page arrived. */
  readonly atMs: number;
  /** The greatest age that a caller has accepted so far. */
  readonly acceptedAgeMs: number;
  /** Set once a change was made that can have changed the result. */
  readonly isOutdated?: boolean;
}

/** The stored reads of one API key. */
export interface KeyReads {
  get(url: string): StoredRead | undefined;
  /** Returns a read without marking it as used. */
  peek(url: string): StoredRead | undefined;
  /** Stores a read. Must be called again after each page, because the read has grown. */
  set(url: string, read: StoredRead): void;
  /** Returns a snapshot of this key's reads. */
  list(): readonly (readonly [url: string, read: StoredRead])[];
}

interface Entry extends StoredRead {
  readonly url: string;
  /** The URLs that are stored for the same key. */
  readonly urls: Set<string>;
}

/** Limits the memory for stored reads, in characters of the service's responses. */
const maxSize = 64 * 1024 * 1024;

/** Characters that an entry counts in addition to its responses. Limits the number of small entries. */
const entrySize = 1_000;

/** How long a read is kept at least. The next caller can accept a greater age than those before. */
const minLifetimeMs = 10 * 60_000;

const sweepIntervalMs = 60_000;

/**
 * Stores reads of all API keys within one memory limit. The least recently used read is dropped
 * first. Reads that are too old for their callers are dropped once a minute. Returns a function that
 * returns the reads of a key.
 */
export function createReadStore(now: () => number): (fingerprint: string) => KeyReads {
  const entries = new LRUCache<string, Entry>({
    // With `max` instead, the memory for all entries would be allocated at once.
    maxSize,
    sizeCalculation: ({ walk }) => walk.size() + entrySize,
    dispose: ({ url, urls }) => urls.delete(url),
  });
  let isSweepScheduled = false;

  function sweep(): void {
    for (const [key, { walk, atMs, acceptedAgeMs }] of [...entries.entries()]) {
      const lifetimeMs = Math.max(minLifetimeMs, acceptedAgeMs, listLifetimeMs(walk.pageCount()));
      if (ageMsOf(atMs, now()) > lifetimeMs && !walk.isReading()) entries.delete(key);
    }
    isSweepScheduled = false;
    if (entries.size > 0) scheduleSweep();
  }

  function scheduleSweep(): void {
    if (isSweepScheduled) return;
    isSweepScheduled = true;
    setTimeout(sweep, sweepIntervalMs).unref();
  }

  return (fingerprint) => {
    const urls = new Set<string>();
    const toKey = (url: string) => `${fingerprint} ${url}`;
    return {
      get: (url) => entries.get(toKey(url)),
      peek: (url) => entries.peek(toKey(url)),
      set(url, read) {
        // `LRUCache` counts the size again only for a new object.
        entries.set(toKey(url), { ...read, url, urls });
        // A read beyond the limit isn't stored.
        if (!entries.has(toKey(url))) return;
        urls.add(url);
        scheduleSweep();
      },
      list: () =>
        [...urls].flatMap((url) => {
          const read = entries.peek(toKey(url));
          return read ? [[url, read] as const] : [];
        }),
    };
  };
}
