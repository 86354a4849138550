import { RackhandError } from '../../errors.ts';
import { spans } from '../../tracing/spans.ts';
import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import type { JoinedLines } from './joined-lines.ts';
import { createKeyQueue, type KeyCall, type KeyQueue } from './key-queue.ts';
import { defaultQuotaLimit, defaultShares, type Lane, type QuotaShares, toSlotLimits } from './lanes.ts';
import type { CallJournal } from './ledger/call-journal.ts';
import type { KeyLoad, Ledger, LimiterContext, LimiterLogger, Slot, WaitReason } from './ledger/ledger.ts';
import { createMemoryLedger } from './ledger/memory-ledger.ts';
import type { SendRecord } from './ledger/send-record.ts';
import { createQueuedCall, deadlinePassedError, type GrantedSlot } from './queued-call.ts';
import { createQuotaTiming } from './quota-timing.ts';
import { createQuotaUsage, type QuotaTotals, type QuotaUsage } from './quota-usage.ts';
import { createWaitReport } from './wait-estimate.ts';

export { fingerprintKey } from './key-fingerprint.ts';
export { defaultQuotaLimit, defaultShares, type Lane } from './lanes.ts';
export type { CallJournal, JournaledCall, JournaledPause } from './ledger/call-journal.ts';
export type { WaitReason } from './ledger/ledger.ts';
export type { SendRecord } from './ledger/send-record.ts';
export type { QuotaTotals, QuotaUsage } from './quota-usage.ts';

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
  /** Called right before a call is sent, with how long it waited for its slot. */
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
  readonly line?: string | undefined;
  /**
   * The lines of other callers that want the same result. The call gets its slot at the first turn
   * of any line.
   */
  readonly joinedLines?: JoinedLines | undefined;
  /** Time (epoch ms) after which the call must not be sent. */
  readonly notAfterMs?: number | undefined;
  /** Called with an estimate in ms if the call has to wait, and again if the key is blocked. */
  readonly onQueued?: OnQueued | undefined;
  /** Runs before each attempt, once the call has its slot. If it rejects, the call isn't sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

/**
 * Sends each key's calls so that no sliding window ever contains more calls than the key's quota.
 */
export interface RateLimiter {
  /** The time of deadlines and pauses (epoch ms). */
  now(): number;
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
  /** The ledger of the queues. A slot that is requested during a stop must be given back before its end. */
  const queueLedger: Ledger = {
    ...ledger,
    acquire: (request) => track(ledger.acquire(request)),
    cancel: (slot) => track(ledger.cancel(slot)),
  };
  const queues = new Map<string, KeyQueue>();
  const { markUsed, estimate, usage, totals } = createQuotaUsage(queues, ledger, context);
  /** Calls that have a slot or request one. Closing waits for them. */
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;

  function openQueue(fingerprint: string, limit: number): KeyQueue {
    markUsed(fingerprint);
    const limits = toSlotLimits(limit, shares);
    const known = queues.get(fingerprint);
    known?.resize(limits);
    if (known) return known;
    const queue = createKeyQueue(fingerprint, limits, queueLedger, context, () => queues.delete(fingerprint));
    queues.set(fingerprint, queue);
    return queue;
  }

  /** Makes `close` wait for the work. */
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
    return tracked;
  }

  /** Adds a call to the queue of its key. Rejects if the call gets none before its deadline, or if the limiter is closed. */
  function waitForSlot(
    fingerprint: string,
    limit: number,
    queued: KeyCall,
    { lostSlot }: { readonly lostSlot: boolean },
  ): Promise<GrantedSlot> {
    const granted = queued.wait();
    if (isClosed) queued.reject(closedError());
    if (queued.isWaiting()) openQueue(fingerprint, limit).add(queued, { lostSlot });
    return spans.tracePromise(() => granted, {
      name: 'wait for quota',
      attributes: { 'rackhand.lane': queued.lane },
    });
  }

  /** Prepares a call and makes it, unless it has lost its slot meanwhile. */
  async function useSlot<T>(
    { slot, atMs }: GrantedSlot,
    queued: KeyCall,
    { limit = defaultQuotaLimit, beforeSend, notAfterMs = Infinity }: ScheduleOptions,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly kind: 'lost' } | { readonly kind: 'answered'; readonly result: T }> {
    try {
      if (isClosed) throw closedError();
      if (beforeSend)
        await withTimeout(beforeSend(), timing.callTimeoutMs, () => {
          throw deadlinePassedError('The checks before the request took too long. Nothing was sent.');
        });
      if (!(await isStillGranted({ slot, atMs }, queued, limit))) return { kind: 'lost' };
      // A frozen process can have passed the deadline since the call got its slot.
      if (now() >= notAfterMs) throw deadlinePassedError('The deadline has passed. Nothing was sent.');
      onSent?.(queued.lane, clock() - queued.requestedAtMs);
    } catch (error) {
      void track(giveBack(slot));
      throw error;
    }
    const timeout = new AbortController();
    try {
      const result = await withTimeout(call(timeout.signal), timing.callTimeoutMs, () => {
        timeout.abort(callTimeoutError(timing.callTimeoutMs));
        throw timeout.signal.reason;
      });
      return { kind: 'answered', result };
    } finally {
      void track(ledger.markAnswered(slot));
    }
  }

  /** Frees the slot of a call that wasn't sent, for the calls that wait. */
  async function giveBack(slot: Slot): Promise<void> {
    await ledger.cancel(slot);
    queues.get(slot.fingerprint)?.wake();
  }

  /**
   * Confirms a slot that was granted long ago. In a process that was frozen, the slot could have
   * expired, and another process could be using it.
   */
  async function isStillGranted(
    { slot, atMs }: GrantedSlot,
    queued: KeyCall,
    limit: number,
  ): Promise<boolean> {
    const { fingerprint } = slot;
    for (let grantedAtMs = atMs; clock() - grantedAtMs > timing.startTimeoutMs; ) {
      const queue = queues.get(fingerprint) ?? openQueue(fingerprint, limit);
      const decision = await queue.requestSlot(slot, queued);
      if (!decision.isGranted) {
        logger.warn({ reason: decision.reason }, 'a call lost its slot before it was sent');
        return false;
      }
      grantedAtMs = decision.atMs;
    }
    return true;
  }

  return {
    async schedule(options, call) {
      const { fingerprint, limit = defaultQuotaLimit, lane, line = '', onQueued, joinedLines } = options;
      if (!Number.isInteger(limit) || limit < 1) throw invalidLimitError(limit);
      const lines = [line];
      const queued: KeyCall = {
        ...createQueuedCall({ ...options, now }),
        lane,
        line,
        requestedAtMs: clock(),
        onWait: createWaitReport({
          onQueued,
          estimate: () =>
            lines.map((each) => estimate({ fingerprint, limit, lane, line: each, call: queued })),
          isWaiting: () => queued.isWaiting(),
          logger,
        }),
      };
      let slot = waitForSlot(fingerprint, limit, queued, { lostSlot: false });
      const unsubscribe = joinedLines?.subscribe((joined) => {
        if (lines.includes(joined)) return;
        lines.push(joined);
        queues.get(fingerprint)?.join(joined, queued);
      });
      try {
        for (;;) {
          const used = await track(useSlot(await slot, queued, options, call));
          if (used.kind === 'answered') return used.result;
          slot = waitForSlot(fingerprint, limit, queued, { lostSlot: true });
        }
      } finally {
        unsubscribe?.();
      }
    },

    now,

    pause: (fingerprint, untilMs) => ledger.pause(fingerprint, untilMs),

    usage,
    totals,

    // No key has this fingerprint, so the pauses of single keys don't count.
    blockade: () => ledger.load('none'),

    async close() {
      isClosed = true;
      for (const queue of queues.values()) {
        for (const call of [...queue.list('people'), ...queue.list('background')]) call.reject(closedError());
        queue.wake();
      }
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
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

function callTimeoutError(callTimeoutMs: number): HostingError {
  const message = `The hosting service didn't answer within ${callTimeoutMs / 1000} s.`;
  return new HostingError('service_timeout', message, { sendState: 'unknown' });
}
