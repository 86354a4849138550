import { createKeyLimiter, type KeyLimiter } from './key-limiter.ts';
import type { QuotaContext, SlotStore } from './stores/slot-store.ts';

/**
 * The limiters of all keys in use. A limiter exists while calls wait for its slots or hold them.
 */
export interface KeyLimiterRegistry {
  /** Returns the limiter of a key. Each `retain` needs a `release` later. */
  retain(fingerprint: string, limit: number): KeyLimiter;
  release(fingerprint: string): void;
  get(fingerprint: string): KeyLimiter | undefined;
  list(): readonly KeyLimiter[];
}

export function createKeyLimiterRegistry(store: SlotStore, context: QuotaContext): KeyLimiterRegistry {
  const keys = new Map<string, { readonly limiter: KeyLimiter; users: number }>();

  return {
    retain(fingerprint, limit) {
      const known = keys.get(fingerprint);
      const entry = known ?? { limiter: createKeyLimiter(fingerprint, limit, store, context), users: 0 };
      entry.users += 1;
      entry.limiter.resize(limit);
      keys.set(fingerprint, entry);
      return entry.limiter;
    },
    release(fingerprint) {
      const entry = keys.get(fingerprint);
      if (!entry) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      keys.delete(fingerprint);
      entry.limiter
        .close()
        .catch((error: unknown) => context.logger.warn({ error }, 'the limiter of a key did not close'));
    },
    get: (fingerprint) => keys.get(fingerprint)?.limiter,
    list: () => [...keys.values()].map(({ limiter }) => limiter),
  };
}
