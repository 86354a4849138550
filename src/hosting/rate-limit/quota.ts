import { setMaxListeners } from 'node:events';
import { RackhandError } from '../../errors.ts';
import { createKeyLimiterRegistry } from './key-limiter-registry.ts';
import { type Lane, mapLanes, toBackgroundLimit } from './lanes.ts';
import { createQueuedCall } from './queued-call.ts';
import { createQuotaTiming } from './quota-timing.ts';
import { countWaitingBefore, createSlotAcquirer } from './slot-acquirer.ts';
import type { CallJournal } from './stores/call-journal.ts';
import { createJournalSlotStore } from './stores/journal-slot-store.ts';
import type { QuotaContext, QuotaLogger } from './stores/slot-store.ts';
import { estimateWaitMs, loadQuotaLoad } from './wait-estimate.ts';

export { fingerprintKey } from './key-fingerprint.ts';
export type { Lane } from './lanes.ts';
export type { CallJournal, JournaledCall, JournaledPause } from './stores/call-journal.ts';

/** Default quota of a key according to the API document, in calls per window. */
export const defaultQuotaLimit = 50;

export interface QuotaOptions {
  /** Calls that take longer are aborted. A little longer than the transport's own limit. */
  readonly callTimeoutMs: number;
  /** Length of the service's quota window. Defaults to 60 s, from the API document's part "Limits". */
  readonly windowMs?: number;
  /** Added to each hold. Defaults to 1/240 of the window: 250 ms for 60 s. */
  readonly marginMs?: number;
  /** Longest time between requesting a slot and sending. Defaults to 2 s. */
  readonly startTimeoutMs?: number;
  /** Share of a quota that the background lane can use. Defaults to 0.8: 40 of 50. */
  readonly backgroundShare?: number;
  /** Keeps the last window's calls and the pauses across a restart. Not used with Redis. */
  readonly journal?: CallJournal;
  /** The Redis in which replicas share their slots. Without it, no other process can use the same keys. */
  readonly redisUrl?: string;
  readonly now?: () => number;
  readonly logger?: QuotaLogger;
}

export interface QuotaCallOptions {
  /** Fingerprint of the API key. See `fingerprintKey`. */
  readonly fingerprint: string;
  /**
   * The key's quota in calls per window. Defaults to 50. A change applies to all waiting calls of
   * the key.
   */
  readonly limit?: number;
  readonly lane: Lane;
  /** Time (epoch ms) after which the call must not be sent. */
  readonly notAfterMs?: number;
  /** Cancels a call that is waiting, or aborts one that is running. */
  readonly signal?: AbortSignal;
  /** Called with an estimate in ms if the call has to wait, and again after a pause. */
  readonly onQueued?: (waitMs: number) => void;
}

export interface QuotaUsage {
  readonly limit: number;
  /** Number of slots that the background lane can use. */
  readonly backgroundLimit: number;
  /** How long a call holds its slot after its response, in ms: the window plus a margin. */
  readonly holdMs: number;
  /** Number of slots held by calls of the last window, on all replicas. */
  readonly used: Readonly<Record<Lane, number>>;
  /** Number of calls in this process that wait for a slot. */
  readonly waiting: Readonly<Record<Lane, number>>;
  /** How many ms a new call would wait. */
  readonly waitMs: Readonly<Record<Lane, number>>;
}

/**
 * Sends each key's calls so that no sliding window ever contains more calls than the key's quota.
 */
export interface Quota {
  /**
   * Makes a call as soon as it has a slot, and returns its result. Every attempt needs its own
   * slot, so a retry calls `schedule` again. If the call wasn't sent, throws `deadline_passed` or,
   * after `close`, `stopped`. Otherwise throws `service_timeout` if the call took too long, or the
   * call's own error.
   */
  schedule<T>(slot: QuotaCallOptions, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Stops a key's calls until `untilMs`, on all replicas and across restarts. Never shortens an
   * earlier pause.
   */
  pause(fingerprint: string, untilMs: number): Promise<void>;
  usage(fingerprint: string, limit?: number): Promise<QuotaUsage>;
  /** Stops sending and rejects all waiting calls. Resolves when the calls in flight have ended. */
  close(): Promise<void>;
}

/** Creates the quota of all keys. The Redis client is loaded only if a Redis URL is given. */
export async function createQuota(options: QuotaOptions): Promise<Quota> {
  const { journal, redisUrl, backgroundShare = 0.8, now = Date.now, logger = { warn() {} } } = options;
  const timing = createQuotaTiming(options);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const context: QuotaContext = { timing, backgroundShare, now, logger, closed: closing.signal };
  const store = redisUrl
    ? (await import('./stores/redis-slot-store.ts')).createRedisSlotStore(redisUrl, context)
    : await createJournalSlotStore(journal, context);
  const keyLimiters = createKeyLimiterRegistry(store, context);
  const slotAcquirer = createSlotAcquirer(keyLimiters, store, context);
  let isClosed = false;

  for (const { fingerprint, ...slot } of store.restoredSlots) {
    const limiter = keyLimiters.retain(fingerprint, defaultQuotaLimit);
    void limiter.restoreSlot(slot).then(() => keyLimiters.release(fingerprint));
  }

  return {
    schedule(slot, call) {
      const { fingerprint, limit = defaultQuotaLimit, lane, onQueued } = slot;
      const { queuedCall, result } = createQueuedCall(call, {
        ...slot,
        callTimeoutMs: timing.callTimeoutMs,
        now,
      });
      if (isClosed) queuedCall.reject(closedError());
      if (!Number.isInteger(limit) || limit < 1) queuedCall.reject(invalidLimitError(limit));
      if (queuedCall.isWaiting())
        void slotAcquirer.acquire({ fingerprint, limit, lane, onQueued }, queuedCall);
      return result;
    },

    pause: (fingerprint, untilMs) => store.pause(fingerprint, untilMs),

    async usage(fingerprint, limit = defaultQuotaLimit) {
      const load = await loadQuotaLoad(fingerprint, limit, store, context);
      const queues = keyLimiters.get(fingerprint)?.queues;
      const waiting = mapLanes((lane) => (queues ? countWaitingBefore(undefined, queues[lane]) : 0));
      return {
        limit,
        backgroundLimit: toBackgroundLimit(limit, backgroundShare),
        holdMs: timing.holdMs,
        used: mapLanes((lane) => load.heldSlots.filter((slot) => slot.lane === lane).length),
        waiting,
        waitMs: mapLanes((lane) => estimateWaitMs(lane, waiting, load)),
      };
    },

    async close() {
      isClosed = true;
      for (const { queues } of keyLimiters.list()) {
        for (const queuedCall of [...queues.people, ...queues.background]) queuedCall.reject(closedError());
      }
      await slotAcquirer.drained();
      // The connection is closed first, so that slots released after this stay occupied in Redis
      // for their full hold.
      await store.close();
      closing.abort();
    },
  };
}

function closedError(): RackhandError {
  return new RackhandError('stopped', 'Rackhand is stopping. Nothing was sent.');
}

function invalidLimitError(limit: number): RackhandError {
  return new RackhandError(
    'setting_invalid',
    `A quota must be a whole number of calls, at least 1, but is ${limit}.`,
  );
}
