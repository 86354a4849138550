import { RackhandError } from '../../errors.ts';
import type { JoinedLines } from './joined-lines.ts';
import { createKeyQueue, type KeyCall, type KeyQueue } from './key-queue.ts';
import { type Lane, mapLanes, type QuotaShares, toSlotLimits } from './lanes.ts';
import type { CallJournal } from './ledger/call-journal.ts';
import type { KeyLoad, LimiterContext, LimiterLogger, WaitReason } from './ledger/ledger.ts';
import { createMemoryLedger } from './ledger/memory-ledger.ts';
import type { SendRecord } from './ledger/send-record.ts';
import { createQueuedCall } from './queued-call.ts';
import { createQuotaTiming } from './quota-timing.ts';
import { estimateWait, type WaitEstimate } from './wait-estimate.ts';

export { fingerprintKey } from './key-fingerprint.ts';
export type { Lane } from './lanes.ts';
export type { CallJournal, JournaledCall, JournaledPause } from './ledger/call-journal.ts';
export type { WaitReason } from './ledger/ledger.ts';
export type { SendRecord } from './ledger/send-record.ts';

/** Default quota of a key according to the API document, in calls per window. */
export const defaultQuotaLimit = 50;

/** 40 of 50 slots for the background, 30 of 50 for one person, 36 of 40 for one report. */
export const defaultShares: QuotaShares = { background: 0.8, person: 0.6, backgroundLine: 0.9 };

export interface RateLimiterOptions {
  /** Calls that take longer are aborted. A little longer than the transport's own limit. */
  readonly callTimeoutMs: number;
  /** Length of the service's quota window. Defaults to 60 s, from the API document's part "Limits". */
  readonly windowMs?: number;
  /** Added to each hold. Defaults to 1/240 of the window: 250 ms for 60 s. */
  readonly marginMs?: number;
  /** Longest time between requesting a slot and sending. Defaults to 2 s. */
  readonly startTimeoutMs?: number;
  readonly shares?: Partial<QuotaShares>;
  /** Keeps the last window's calls and the pauses across a restart. Not used with Redis. */
  readonly journal?: CallJournal;
  /** The Redis in which replicas share their slots. Without it, no other process can use the same keys. */
  readonly redisUrl?: string;
  /**
   * Shows whether earlier calls can have been sent, if Redis has lost its state. Used only with
   * Redis.
   */
  readonly sendRecord?: SendRecord;
  /** Called when a call is sent, with how long it waited for its slot. */
  readonly onSent?: (lane: Lane, waitedMs: number) => void;
  readonly now?: () => number;
  readonly logger?: LimiterLogger;
}

/** Called with an estimated wait in ms and its reason. */
export type OnQueued = (waitMs: number, reason: WaitReason) => void;

export interface ScheduleOptions {
  /** Fingerprint of the API key. See `fingerprintKey`. */
  readonly fingerprint: string;
  /**
   * The key's quota in calls per window. Defaults to 50. A change applies to all waiting calls of
   * the key.
   */
  readonly limit?: number;
  readonly lane: Lane;
  /**
   * The person, report or workspace that makes the call. Lines take turns, and each has a share of
   * the slots. Without a line, only the limits of the key and the lane apply.
   */
  readonly line?: string;
  /**
   * The lines of other callers that want the same result. The call gets its slot at the first turn
   * of any line.
   */
  readonly joinedLines?: JoinedLines;
  /** Time (epoch ms) after which the call must not be sent. */
  readonly notAfterMs?: number;
  /** Cancels a call that is waiting, or aborts one that is running. */
  readonly signal?: AbortSignal;
  /** Called with an estimate in ms if the call has to wait, and again if the key is blocked. */
  readonly onQueued?: OnQueued;
  /** Runs before each attempt, once the call has its slot. If it rejects, the call isn't sent. */
  readonly beforeSend?: () => Promise<void>;
}

export interface QuotaUsage {
  readonly limit: number;
  /** Number of slots that the background lane can use. */
  readonly backgroundLimit: number;
  /** Number of slots that one report, or another line of the background lane, can use. */
  readonly backgroundLineLimit: number;
  /** How long a call holds its slot after its response, in ms: the window plus a margin. */
  readonly holdMs: number;
  /** Number of slots held by calls of the last window, on all replicas. */
  readonly used: Readonly<Record<Lane, number>>;
  /** How many slots the person who asks uses, and how many one person can use. */
  readonly ownPeople: { readonly used: number; readonly limit: number };
  /** Number of calls in this process that wait for a slot. */
  readonly waiting: Readonly<Record<Lane, number>>;
  /** How many ms a new call would wait. */
  readonly waitMs: Readonly<Record<Lane, number>>;
  /** Why a new call would wait. */
  readonly waitReason: Readonly<Record<Lane, WaitReason>>;
}

/** Slots in use and calls that wait, of all keys that this process uses. */
export type QuotaTotals = Pick<QuotaUsage, 'used' | 'waiting'>;

/**
 * Sends each key's calls so that no sliding window ever contains more calls than the key's quota.
 */
export interface RateLimiter {
  /**
   * Makes a call as soon as it has a slot, and returns its result. Every attempt needs its own
   * slot, so a retry calls `schedule` again. If the call wasn't sent, throws `deadline_passed` or,
   * after `close`, `stopped`. Otherwise throws `service_timeout` if the call took too long, or the
   * call's own error.
   */
  schedule<T>(options: ScheduleOptions, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Stops a key's calls until `untilMs`, on all replicas and across restarts. Never shortens an
   * earlier pause.
   */
  pause(fingerprint: string, untilMs: number): Promise<void>;
  /** Returns how much of a quota is used, and how long a new call of the line would wait. */
  usage(fingerprint: string, limit?: number, line?: string): Promise<QuotaUsage>;
  totals(): Promise<QuotaTotals>;
  /** Returns how long the calls of all keys have to wait, and why. */
  blockade(): Promise<Pick<KeyLoad, 'blockedForMs' | 'blockedReason'>>;
  /** Stops sending and rejects all waiting calls. Resolves when the calls in flight have ended. */
  close(): Promise<void>;
}

/** Creates the rate limiter of all keys. The Redis client is loaded only if a Redis URL is given. */
export async function createRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { journal, redisUrl, sendRecord, onSent, now = Date.now, logger = { warn() {} } } = options;
  const timing = createQuotaTiming(options);
  const shares = { ...defaultShares, ...options.shares };
  const clock = () => performance.now();
  const context: LimiterContext = { timing, shares, now, clock, logger };
  const ledger = redisUrl
    ? (await import('./ledger/redis-ledger.ts')).createRedisLedger(redisUrl, sendRecord, context)
    : await createMemoryLedger(journal, context);
  const queues = new Map<string, KeyQueue>();
  /** When a key was last used by this process. */
  const usedAtMs = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  let isClosed = false;

  function openQueue(fingerprint: string, limit: number): KeyQueue {
    const limits = toSlotLimits(limit, shares);
    const known = queues.get(fingerprint);
    known?.resize(limits);
    const queue =
      known ??
      createKeyQueue(fingerprint, limits, ledger, context, {
        onSend(sent) {
          inFlight.add(sent);
          void sent.finally(() => inFlight.delete(sent));
        },
        onIdle: () => queues.delete(fingerprint),
      });
    queues.set(fingerprint, queue);
    usedAtMs.set(fingerprint, clock());
    return queue;
  }

  async function estimate(
    fingerprint: string,
    limit: number,
    { lane, line }: Pick<KeyCall, 'lane' | 'line'>,
    call?: KeyCall,
  ): Promise<WaitEstimate> {
    const before = queues.get(fingerprint)?.countBefore(lane, line, call) ?? {
      lane: mapLanes(() => 0),
      line: 0,
    };
    const load = await ledger.load(fingerprint);
    const limits = toSlotLimits(limit, shares);
    return estimateWait({ lane, line, before, limits, load, holdMs: timing.holdMs });
  }

  return {
    schedule(slot, call) {
      const {
        fingerprint,
        limit = defaultQuotaLimit,
        lane,
        line = '',
        onQueued,
        beforeSend,
        joinedLines,
      } = slot;
      const requestedAtMs = clock();
      const { callTimeoutMs } = timing;
      const onSend = () => onSent?.(lane, clock() - requestedAtMs);
      const { queuedCall, result } = createQueuedCall(call, { ...slot, callTimeoutMs, onSend, now });

      const lines = [line];
      let isNotified = false;
      async function notify(hasChanged: boolean) {
        if (!onQueued || (isNotified && !hasChanged)) return;
        isNotified = true;
        try {
          const estimates = lines.map((each) => estimate(fingerprint, limit, { lane, line: each }, keyCall));
          const { waitMs, reason } = (await Promise.all(estimates)).reduce((best, one) =>
            one.waitMs < best.waitMs ? one : best,
          );
          if (waitMs > 0 && keyCall.isWaiting()) onQueued(waitMs, reason);
          else isNotified = false;
        } catch (error) {
          logger.warn({ error }, 'an estimate of the wait was not delivered');
        }
      }
      const keyCall: KeyCall = {
        ...queuedCall,
        lane,
        line,
        prepare: async () => beforeSend?.(),
        onWait: (hasChanged) => void notify(hasChanged),
      };
      if (isClosed) queuedCall.reject(closedError());
      if (!Number.isInteger(limit) || limit < 1) queuedCall.reject(invalidLimitError(limit));
      if (queuedCall.isWaiting()) openQueue(fingerprint, limit).add(keyCall);
      if (!joinedLines) return result;
      const unsubscribe = joinedLines.subscribe((joined) => {
        if (lines.includes(joined)) return;
        lines.push(joined);
        queues.get(fingerprint)?.join(joined, keyCall);
      });
      return result.finally(unsubscribe);
    },

    pause: (fingerprint, untilMs) => ledger.pause(fingerprint, untilMs),

    async usage(fingerprint, limit = defaultQuotaLimit, line = '') {
      const [{ heldSlots }, people, background] = await Promise.all([
        ledger.load(fingerprint),
        estimate(fingerprint, limit, { lane: 'people', line }),
        estimate(fingerprint, limit, { lane: 'background', line: '' }),
      ]);
      const limits = toSlotLimits(limit, shares);
      const waits = { people, background };
      const ofPeople = heldSlots.filter((slot) => slot.lane === 'people');
      return {
        limit,
        backgroundLimit: limits.background,
        backgroundLineLimit: limits.line.background,
        holdMs: timing.holdMs,
        used: mapLanes((lane) => heldSlots.filter((slot) => slot.lane === lane).length),
        ownPeople: {
          used: ofPeople.filter((slot) => slot.line === line).length,
          limit: limits.line.people,
        },
        waiting: mapLanes((lane) => queues.get(fingerprint)?.list(lane).length ?? 0),
        waitMs: mapLanes((lane) => waits[lane].waitMs),
        waitReason: mapLanes((lane) => waits[lane].reason),
      };
    },

    async totals() {
      for (const [fingerprint, atMs] of usedAtMs) {
        if (!queues.has(fingerprint) && clock() - atMs > timing.expirationMs) usedAtMs.delete(fingerprint);
      }
      const loads = await Promise.all([...usedAtMs.keys()].map((fingerprint) => ledger.load(fingerprint)));
      const held = loads.flatMap(({ heldSlots }) => heldSlots);
      return {
        used: mapLanes((lane) => held.filter((slot) => slot.lane === lane).length),
        waiting: mapLanes((lane) =>
          [...queues.values()].reduce((count, queue) => count + queue.list(lane).length, 0),
        ),
      };
    },

    // No key has this fingerprint, so the pauses of single keys don't count.
    blockade: () => ledger.load('none'),

    async close() {
      isClosed = true;
      for (const queue of queues.values()) {
        for (const call of [...queue.list('people'), ...queue.list('background')]) call.reject(closedError());
        queue.wake();
      }
      await Promise.all(inFlight);
      await ledger.close();
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
