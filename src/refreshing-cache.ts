import { ageMsOf } from './time/age.ts';
import { withTimeout } from './with-timeout.ts';

interface RefreshingCacheOptions<Value> {
  /** Reads a value. Undefined isn't cached. */
  readonly read: (key: string) => Promise<Value | undefined>;
  /** How old a value can be before `read` is called again. */
  readonly ttlMs: number;
  readonly now: () => number;
}

/** A cache that keeps returning old values for a while when reading fails. */
export interface RefreshingCache<Value> {
  /**
   * Returns the value. If the value is old and reading it again is slow or fails, returns the old one for up to an
   * hour.
   */
  get(key: string): Promise<Value | undefined>;
  delete(matches: (key: string, value: Value) => boolean): void;
}

interface CachedValue<Value> {
  readonly value: Value;
  readonly readMs: number;
  refreshing?: Promise<Value | undefined> | undefined;
}

/** How long a caller waits before getting the old value. Slack's acks must not wait for a database. */
const refreshWaitMs = 500;

/** How long after being read a value can still be used if it can't be read again. */
const staleTtlMs = 60 * 60_000;

export function createRefreshingCache<Value>({
  read,
  ttlMs,
  now,
}: RefreshingCacheOptions<Value>): RefreshingCache<Value> {
  const cache = new Map<string, CachedValue<Value>>();

  async function refresh(key: string): Promise<Value | undefined> {
    const value = await read(key);
    if (value === undefined) cache.delete(key);
    else cache.set(key, { value, readMs: now() });
    return value;
  }

  return {
    async get(key) {
      const cached = cache.get(key);
      const ageMs = cached ? ageMsOf(cached.readMs, now()) : Number.POSITIVE_INFINITY;
      if (cached && ageMs < ttlMs) return cached.value;
      if (!cached || ageMs >= staleTtlMs) return refresh(key);
      // Concurrent callers wait for the same read.
      cached.refreshing ??= refresh(key).finally(() => {
        cached.refreshing = undefined;
      });
      const useCached = () => cached.value;
      return withTimeout(cached.refreshing.catch(useCached), refreshWaitMs, useCached);
    },
    delete(matches) {
      for (const [key, { value }] of cache) if (matches(key, value)) cache.delete(key);
    },
  };
}
