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
  /** Calls that take longer are aborted. A little longer than the transport's own limit. */
  readonly callTimeoutMs: number;
  /** Length of the service's quota window. Defaults to 60 s. */
  readonly windowMs?: number;
  /** Share of the quota that one person can use, between 0 and 1. */
  readonly personShare?: number | undefined;
  /** Keeps the slots across a restart and, with the clock of PostgreSQL, for all processes that use the keys. */
  readonly table?: { readonly db: Database; readonly sharedClock?: SharedClock | undefined };
  /** Called right before a call is sent, with how long it waited for its slot. */
  readonly onSent?: (lane: Lane, waitedMs: number) => void;
  readonly now?: () => number;
  readonly logger?: Pick<Logger, 'warn'>;
}

export interface ScheduleOptions extends WaitingOptions {
  /** Fingerprint of the API key. See `fingerprintKey`. */
  readonly fingerprint: string;
  /** The key's quota in calls per window. A change applies to all waiting calls of the key. */
  readonly limit?: number;
  /** Runs before each attempt, once the call has its slot. If it rejects, the call isn't sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
  /** Called when the slot was lost during `beforeSend`, so that the call waits for another one. */
  readonly onSlotLost?: (() => void) | undefined;
}

/** Calls that use a slot, and calls that wait for one, in this process. */
export type QuotaTotals = Pick<QuotaUsage, 'used' | 'waiting'>;

/** How often the machine's clock is checked while calls wait. */
const clockCheckMs = 1_000;

/** If the clock is set back by less, Bottleneck delays calls by less. */
const maxSetBackMs = 500;

const machineAheadMs = () => Date.now() - performance.now();

/** Sends each key's calls so that no sliding window ever contains more calls than the key's quota. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function createRateLimiter(options: RateLimiterOptions) {
  const { table, onSent, personShare = defaultPersonShare, now = Date.now, logger = { warn() {} } } = options;
  const timing = createQuotaTiming(options.callTimeoutMs, options.windowMs);
  const slots = table ? createSlotTable({ ...table, timing, logger }) : unsharedSlots;
  const keys = new Map<string, KeyLimiter>();
  /** Calls that have a slot or ask for one. Closing waits for them. */
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
    // A cancelled call can end after its limiter was idle and another took its place.
    const onIdle = () => {
      if (keys.get(fingerprint) === key) keys.delete(fingerprint);
      key.close();
    };
    const key = known ?? createKeyLimiter({ fingerprint, limits, slots, timing, now, logger, track, onIdle });
    keys.set(fingerprint, key);
    return key;
  }

  /** Notices that the machine's clock was set back. Checks again for as long as calls wait. */
  function checkClock(): void {
    const aheadMs = machineAheadMs();
    if (aheadMs < lastAheadMs - maxSetBackMs) for (const key of keys.values()) key.clockWasSetBack();
    lastAheadMs = aheadMs;
    clearTimeout(clockTimer);
    const { people, background } = totals().waiting;
    clockTimer = people + background > 0 ? setTimeout(checkClock, clockCheckMs).unref() : undefined;
  }

  /** Makes a call with its slot. Returns undefined if it has lost the slot meanwhile. */
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
     * Makes a call as soon as it has a slot, and returns its result. Every attempt needs its own slot. If the
     * call wasn't sent, throws `deadline_passed`, the reason of its signal or, after `close`, `stopped`.
     * Otherwise throws `service_timeout` if the call took too long, or the call's own error.
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

    /** Stops a key's calls, in all processes. Never shortens an earlier pause. */
    pause: (fingerprint: string, forMs: number): Promise<void> => openKey(fingerprint).pause(forMs),

    /** Returns how much of a quota is used, and how long a new call of the caller would wait. */
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
