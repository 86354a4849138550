import type { Logger } from 'pino';
import type { Database } from '../../db/engines/database.ts';
import { RackhandError } from '../../errors.ts';
import { spans } from '../../tracing/spans.ts';
import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import { createKeyLimiter, type KeyLimiter, type QuotaUsage } from './key-limiter.ts';
import { defaultPersonShare, defaultQuotaLimit, type Lane, mapLanes, toSlotLimits } from './lanes.ts';
import { createQuotaTiming } from './quota-timing.ts';
import { createSlotTable, type SharedClock } from './slot-table.ts';
import { type Slot, unsharedSlots } from './slots.ts';
import { deadlinePassedError, type WaitingOptions } from './waiting-call.ts';

export { fingerprintKey } from './key-fingerprint.ts';
export type { QuotaUsage } from './key-limiter.ts';
export { defaultQuotaLimit, type Lane } from './lanes.ts';
export { type OnQueued, type WaitReason, waitReasons } from './waiting-call.ts';

export interface RateLimiterOptions {
  /** Time limit for a call, a little above the transport's own limit. */
  readonly callTimeoutMs: number;
  /** Length of the service's quota window. Defaults to 60 s. */
  readonly windowMs?: number;
  /** Share of the quota that one person can use, between 0 and 1. */
  readonly personShare?: number | undefined;
  /** Keeps the slots across restarts and, with PostgreSQL's clock, for all processes that use the keys. */
  readonly table?: { readonly db: Database; readonly sharedClock?: SharedClock | undefined };
  /** Called right before a call is sent, with how long it waited for its slot. */
  readonly onSent?: (lane: Lane, waitedMs: number) => void;
  readonly now?: () => number;
  readonly logger?: Pick<Logger, 'warn'>;
}

export interface ScheduleOptions extends WaitingOptions {
  /** See `fingerprintKey`. */
  readonly fingerprint: string;
  /** The key's quota in calls per window. A change applies to all waiting calls of the key. */
  readonly limit?: number;
  /** Runs before each attempt, once the call has its slot. If it rejects, the call isn't sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
  /** Called if the slot was lost during `beforeSend`, so the call waits for another one. */
  readonly onSlotLost?: (() => void) | undefined;
}

/** Calls in this process that use a slot or wait for one. */
export type QuotaTotals = Pick<QuotaUsage, 'used' | 'waiting'>;

/** How often the machine's clock is checked while calls wait. */
const clockCheckMs = 1_000;

/** Largest clock setback that is ignored. A setback delays Bottleneck's calls by no more than its own length. */
const maxSetBackMs = 500;

const machineAheadMs = () => Date.now() - performance.now();

/** Limits each key's calls so that no sliding window ever contains more than the key's quota. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function createRateLimiter(options: RateLimiterOptions) {
  const { table, onSent, personShare = defaultPersonShare, now = Date.now, logger = { warn() {} } } = options;
  const timing = createQuotaTiming(options.callTimeoutMs, options.windowMs);
  const slots = table ? createSlotTable({ ...table, timing, logger }) : unsharedSlots;
  const keys = new Map<string, KeyLimiter>();
  /** Calls that have a slot or are asking for one. Closing waits for them. */
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;
  let lastAheadMs = machineAheadMs();
  let clockTimer: NodeJS.Timeout | undefined;

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
    return tracked;
  }

  function openKey(fingerprint: string, limit?: number): KeyLimiter {
    const known = keys.get(fingerprint);
    if (known && limit === undefined) return known;
    const limits = toSlotLimits(limit ?? defaultQuotaLimit, personShare);
    known?.resize(limits);
    // A cancelled call can end after its limiter went idle and another one replaced it.
    const onIdle = () => {
      if (keys.get(fingerprint) === key) keys.delete(fingerprint);
      key.close();
    };
    const key = known ?? createKeyLimiter({ fingerprint, limits, slots, timing, now, logger, track, onIdle });
    keys.set(fingerprint, key);
    return key;
  }

  /** Detects when the machine's clock was set back. Keeps checking while calls wait. */
  function checkClock(): void {
    const aheadMs = machineAheadMs();
    if (aheadMs < lastAheadMs - maxSetBackMs) for (const key of keys.values()) key.clockWasSetBack();
    lastAheadMs = aheadMs;
    clearTimeout(clockTimer);
    const { people, background } = totals().waiting;
    clockTimer = people + background > 0 ? setTimeout(checkClock, clockCheckMs).unref() : undefined;
  }

  /** Sends a call in its slot. Returns undefined if the slot was lost before the call was sent. */
  async function useSlot<T>(
    slot: Slot,
    { limit, lane, beforeSend, notAfterMs = Number.POSITIVE_INFINITY }: ScheduleOptions,
    requestedAtMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const key = openKey(slot.fingerprint, limit);
    try {
      if (isClosed) throw closedError();
      if (beforeSend)
        await withTimeout(beforeSend(), timing.callTimeoutMs, () => {
          throw deadlinePassedError('The checks before the request took too long.');
        });
      if (!(await key.confirm(slot))) return undefined;
      // If the process was frozen, the deadline may have passed since the call got its slot.
      if (now() >= notAfterMs) throw deadlinePassedError('The deadline has passed.');
      onSent?.(lane, performance.now() - requestedAtMs);
    } catch (error) {
      void track(key.cancel(slot));
      throw error;
    }
    const timeout = new AbortController();
    try {
      const result = await withTimeout(call(timeout.signal), timing.callTimeoutMs, () => {
        timeout.abort(callTimeoutError(timing.callTimeoutMs));
        throw timeout.signal.reason;
      });
      return { result };
    } finally {
      void track(key.answered(slot));
    }
  }

  function totals(): QuotaTotals {
    const sum = (count: (key: KeyLimiter) => Readonly<Record<Lane, number>>) =>
      mapLanes((lane) => [...keys.values()].reduce((total, key) => total + count(key)[lane], 0));
    return { used: sum((key) => key.countOwn()), waiting: sum((key) => key.countWaiting()) };
  }

  return {
    /**
     * Sends a call once it gets a slot, and returns its result. A retry needs a new slot. Before sending,
     * throws `deadline_passed`, `stopped` (after `close`), or the signal's abort reason. After sending,
     * throws `service_timeout` or the call's own error.
     */
    async schedule<T>(call: ScheduleOptions, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const requestedAtMs = performance.now();
      const span = { name: 'wait for quota', attributes: { 'rackhand.lane': call.lane } };
      for (;;) {
        if (isClosed) throw closedError();
        const key = openKey(call.fingerprint, call.limit ?? defaultQuotaLimit);
        const granted = spans.tracePromise(() => key.waitForSlot(call), span);
        checkClock();
        const used = await track(useSlot(await granted, call, requestedAtMs, send));
        if (used) return used.result;
        call.onSlotLost?.();
      }
    },

    /** Pauses a key's calls, in all processes. Never shortens an earlier pause. */
    pause: (fingerprint: string, forMs: number): Promise<void> => openKey(fingerprint).pause(forMs),

    /** Returns how much of the quota is used, and how long the caller's next call would wait. */
    usage: (fingerprint: string, limit = defaultQuotaLimit, caller = ''): Promise<QuotaUsage> =>
      openKey(fingerprint, limit).usage(caller),

    totals,

    /** Stops sending and rejects all waiting calls. Resolves when the calls in flight have ended. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(clockTimer);
      for (const key of keys.values()) key.rejectWaiting(closedError());
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      for (const key of keys.values()) key.close();
    },
  };
}

function closedError(): RackhandError {
  return new RackhandError('stopped', 'Rackhand is stopping. Nothing was sent.');
}

function callTimeoutError(callTimeoutMs: number): HostingError {
  const message = `The hosting service didn't answer within ${callTimeoutMs / 1000} s.`;
  return new HostingError('service_timeout', message, { sendState: 'unknown' });
}
