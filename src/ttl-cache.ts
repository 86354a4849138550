import { LRUCache } from 'lru-cache';
import { wasSetBack } from './time/age.ts';

/** Maximum number of cached values. Drops the least recently used first. */
const maxEntries = 5_000;

interface TtlCacheOptions<Input, Value> {
  readonly read: (input: Input) => Promise<Value>;
  readonly toKey: (input: Input) => string;
  /** How long a value is cached, which can depend on the value. */
  readonly ttlMs: number | ((value: Value) => number);
  readonly now: () => number;
}

/**
 * Wraps `read` and caches its results for `ttlMs`. Concurrent reads with the same key share one call.
 * Failures aren't cached. If the clock is set back, everything is read again.
 */
export function createTtlCache<Input, Value>({
  read,
  toKey,
  ttlMs,
  now,
}: TtlCacheOptions<Input, Value>): (input: Input) => Promise<Value> {
  // `LRUCache` doesn't cache undefined, so values are wrapped.
  const cache = new LRUCache<string, { readonly value: Value }, { readonly input: Input }>({
    // With `max` instead, the memory for all entries would be allocated at once.
    maxSize: maxEntries,
    sizeCalculation: () => 1,
    // An entry of `LRUCache` expires 1 ms after its `ttl`, and never if it was set at time 0.
    ttl: typeof ttlMs === 'number' ? ttlMs - 1 : 1,
    perf: { now: () => now() + 1 },
    ttlResolution: 0,
    // A read that is evicted before it ends still has a caller waiting.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context, options }) {
      const value = await read(context.input);
      if (typeof ttlMs !== 'number') options.ttl = ttlMs(value) - 1;
      return { value };
    },
  });
  let lastMs = now();
  return async (input) => {
    if (wasSetBack(lastMs, now())) cache.clear();
    lastMs = now();
    return (await cache.forceFetch(toKey(input), { context: { input } })).value;
  };
}
