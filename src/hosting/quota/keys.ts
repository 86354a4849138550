import { createKeySlots, type KeySlots } from './key-slots.ts';
import type { QuotaContext, SlotStore } from './slot-store.ts';

/** The keys in use. A key is kept while anybody waits for or holds one of its slots, and no longer. */
export interface Keys {
  /** Gives the slots of a key, to be given back with `leave`. */
  enter(key: string, limit: number): KeySlots;
  leave(key: string): void;
  get(key: string): KeySlots | undefined;
  all(): readonly KeySlots[];
}

export function createKeys(store: SlotStore, context: QuotaContext): Keys {
  const keys = new Map<string, { readonly slots: KeySlots; users: number }>();

  return {
    enter(key, limit) {
      const known = keys.get(key);
      const entry = known ?? { slots: createKeySlots(key, limit, store, context), users: 0 };
      entry.users += 1;
      entry.slots.resize(limit);
      keys.set(key, entry);
      return entry.slots;
    },
    leave(key) {
      const entry = keys.get(key);
      if (!entry) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      keys.delete(key);
      entry.slots
        .close()
        .catch((error: unknown) => context.log.warn({ error }, 'a key of the quota did not close'));
    },
    get: (key) => keys.get(key)?.slots,
    all: () => [...keys.values()].map(({ slots }) => slots),
  };
}
