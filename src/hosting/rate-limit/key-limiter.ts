import { type Lane, restoredPriority, toBackgroundLimit, toPriority } from './lanes.ts';
import type { QueuedCall } from './queued-call.ts';
import { sleep } from './sleep.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './stores/slot-store.ts';

/** The slots of one key, and the calls of this process that wait for them. */
export interface KeyLimiter {
  /**
   * Each lane's calls in the order in which they arrived. Calls that were sent stay until their
   * slot is free again.
   */
  readonly queues: Readonly<Record<Lane, Set<QueuedCall>>>;
  /** Changes the quota for all calls that have no slot yet. */
  resize(limit: number): void;
  /**
   * Waits for a slot and holds it until `use` ends. Returns the result of `use`: for how many ms
   * the key is blocked. Rejects if the slot expires.
   */
  withSlot(lane: Lane, isRetry: boolean, use: (requestedAtMs: number) => Promise<number>): Promise<number>;
  /** Occupies a slot for a call from before the restart that still holds it. */
  restoreSlot(slot: HeldSlot): Promise<void>;
  /**
   * Resolves after `ms`, for all callers in the order in which they called. Callers during a delay
   * share that delay.
   */
  delay(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function createKeyLimiter(
  fingerprint: string,
  firstLimit: number,
  store: SlotStore,
  { timing: { holdMs }, now, closed, backgroundShare }: QuotaContext,
): KeyLimiter {
  const { expirationMs } = store;
  let limit = firstLimit;
  let limiters = openLimiters();
  let pendingDelay: Promise<void> | undefined;

  async function openLimiters() {
    const [all, background] = await Promise.all([
      store.createLimiter(fingerprint, limit),
      store.createLimiter(`${fingerprint}:background`, toBackgroundLimit(limit, backgroundShare)),
    ]);
    return { all, background };
  }

  return {
    queues: { people: new Set(), background: new Set() },

    resize(newLimit) {
      if (newLimit === limit) return;
      limit = newLimit;
      limiters = limiters.then(async ({ all, background }) => {
        await Promise.all([
          all.resize(newLimit),
          background.resize(toBackgroundLimit(newLimit, backgroundShare)),
        ]);
        return { all, background };
      });
    },

    async withSlot(lane, isRetry, use) {
      const { all, background } = await limiters;
      const priority = toPriority(lane, isRetry);
      const inKey = { priority, expiration: expirationMs };
      if (lane === 'people') return all.schedule(inKey, use);

      // A slot that could expire during the call is returned unused.
      const inLane = { priority, expiration: expirationMs && 2 * expirationMs };
      return background.schedule(inLane, () => {
        const usableUntilMs = now() + (expirationMs ?? Number.POSITIVE_INFINITY);
        return all.schedule(inKey, async (requestedAtMs) =>
          now() <= usableUntilMs ? use(requestedAtMs) : 0,
        );
      });
    },

    async restoreSlot({ lane, releaseAtMs }) {
      const { all, background } = await limiters;
      const options = { priority: restoredPriority, expiration: expirationMs };
      // Limits how long the slot is held, in case the clock has jumped.
      const hold = () => sleep(Math.min(releaseAtMs - now(), holdMs), closed);
      await Promise.all([
        all.schedule(options, hold),
        lane === 'background' ? background.schedule(options, hold) : undefined,
      ]);
    },

    delay(ms) {
      pendingDelay ??= sleep(ms, closed).then(() => {
        pendingDelay = undefined;
      });
      return pendingDelay;
    },

    async close() {
      const { all, background } = await limiters;
      await Promise.all([all.close(), background.close()]);
    },
  };
}
