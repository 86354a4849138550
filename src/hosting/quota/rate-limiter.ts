import type { Database } from '../../db/engines/database.ts';
import { RackhandError } from '../../errors.ts';
import { spans } from '../../tracing/spans.ts';
import { withTimeout } from '../../with-timeout.ts';
import { HostingError } from '../hosting-error.ts';
import { createKeyLimiter, type KeyLimiter } from './key-limiter.ts';
import {
  defaultQuotaLimit,
  defaultShares,
  type Lane,
  mapLanes,
  type QuotaShares,
  toSlotLimits,
} from './lanes.ts';
import { createQuotaTiming } from './quota-timing.ts';
import { createSlotTable, type QuotaLogger, type SharedTable } from './slot-table.ts';
import { unsharedSlots } from './slots.ts';
import {
  createWaitingCall,
  deadlinePassedError,
  type GrantedSlot,
  type OnQueued,
  type WaitReason,
} from './waiting-call.ts';

export { fingerprintKey } from './key-fingerprint.ts';
export { defaultQuotaLimit, defaultShares, type Lane } from './lanes.ts';
export { shareOnPostgres } from './slot-table.ts';
export type { OnQueued, WaitReason } from './waiting-call.ts';

export interface RateLimiterOptions {
  /** Calls that take longer are aborted. A little longer than the transport's own limit. */
  readonly callTimeoutMs: number;
  /** Length of the service's quota window. Defaults to 60 s, from the API document's part "Limits". */
  readonly windowMs?: number;
  /** Longest time between asking for a slot and sending. Defaults to 15 s. */
  readonly startTimeoutMs?: number;
  readonly shares?: Partial<QuotaShares>;
  /**
   * Where the slots in use are stored, for a restart and, with `shared`, for other processes. Without it,
   * no other process can use the same keys.
   */
  readonly table?: { readonly db: Database; readonly shared?: SharedTable | undefined };
  /** Called right before a call is sent, with how long it waited for its slot. */
  readonly onSent?: (lane: Lane, waitedMs: number) => void;
  readonly now?: () => number;
  readonly logger?: QuotaLogger;
}

export interface ScheduleOptions {
  /** Fingerprint of the API key. See `fingerprintKey`. */
  readonly fingerprint: string;
  /** The key's quota in calls per window. A change applies to all waiting calls of the key. */
  readonly limit?: number;
  readonly lane: Lane;
  /** The person, report or workspace that makes the call. Callers take turns, and each has a share of the slots. */
  readonly caller?: string | undefined;
  /** Time (epoch ms) after which the call must not be sent. */
  readonly notAfterMs?: number | undefined;
  /** When it aborts while the call waits, the call is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with an estimate in ms if the call has to wait, and again if the key is blocked. */
  readonly onQueued?: OnQueued | undefined;
  /** Runs before each attempt, once the call has its slot. If it rejects, the call isn't sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

/** Calls that use a slot, and calls that wait for one, in this process. */
export interface QuotaTotals {
  readonly used: Readonly<Record<Lane, number>>;
  readonly waiting: Readonly<Record<Lane, number>>;
}

export interface QuotaUsage {
  readonly limit: number;
  /** Number of slots that the background lane can use. */
  readonly backgroundLimit: number;
  /** Number of slots that one report, or another caller in the background lane, can use. */
  readonly reportLimit: number;
  /** How long a call holds its slot after its response, in ms: the window plus a margin. */
  readonly holdMs: number;
  /** Number of slots held by calls of the last window, in all processes. */
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

/** Sends each key's calls so that no sliding window ever contains more calls than the key's quota. */
export interface RateLimiter {
  /** The time of deadlines and pauses (epoch ms). */
  now(): number;
  /**
   * Makes a call as soon as it has a slot, and returns its result. Every attempt needs its own slot, so a
   * retry calls `schedule` again. If the call wasn't sent, throws `deadline_passed`, the reason of its
   * signal or, after `close`, `stopped`. Otherwise throws `service_timeout` if the call took too long, or
   * the call's own error.
   */
  schedule<T>(options: ScheduleOptions, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops a key's calls until `untilMs`, in all processes. Never shortens an earlier pause. */
  pause(fingerprint: string, untilMs: number): Promise<void>;
  /** Returns how much of a quota is used, and how long a new call of the caller would wait. */
  usage(fingerprint: string, limit?: number, caller?: string): Promise<QuotaUsage>;
  totals(): QuotaTotals;
  /** Stops sending and rejects all waiting calls. Resolves when the calls in flight have ended. */
  close(): Promise<void>;
}

/** How often the machine's clock is checked while calls wait. */
const clockCheckMs = 1_000;

/** If the clock is set back by less, Bottleneck delays calls by less. */
const maxSetBackMs = 500;

/** Creates the rate limiter of all keys. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { table, onSent, now = Date.now, logger = { warn() {} } } = options;
  const timing = createQuotaTiming(options);
  const shares = { ...defaultShares, ...options.shares };
  const clock = () => performance.now();
  const slots = table ? createSlotTable({ ...table, timing, logger }) : unsharedSlots;
  const keys = new Map<string, KeyLimiter>();
  /** Calls that have a slot or ask for one. Closing waits for them. */
  const inFlight = new Set<Promise<unknown>>();
  let isClosed = false;
  let clockAheadMs = Date.now() - clock();
  let clockTimer: NodeJS.Timeout | undefined;

  /** Makes `close` wait for the work. */
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
    return tracked;
  }

  function openKey(fingerprint: string, limit?: number): KeyLimiter {
    const known = keys.get(fingerprint);
    if (known && limit === undefined) return known;
    const limits = toSlotLimits(limit ?? defaultQuotaLimit, shares);
    known?.resize(limits);
    const context = { slots, timing, clock, logger, track };
    const key = known ?? createKeyLimiter(fingerprint, limits, context, () => keys.delete(fingerprint));
    keys.set(fingerprint, key);
    return key;
  }

  const listKeys = () => [...keys.values()];

  /** Notices that the machine's clock was set back. */
  function checkClock(): void {
    const aheadMs = Date.now() - clock();
    if (aheadMs < clockAheadMs - maxSetBackMs) for (const key of keys.values()) key.rebuild();
    clockAheadMs = aheadMs;
    if (listKeys().some((key) => key.listWaiting().length > 0)) return;
    clearInterval(clockTimer);
    clockTimer = undefined;
  }

  function waitForSlot(options: ScheduleOptions, lostSlot: boolean): Promise<GrantedSlot> {
    const {
      fingerprint,
      limit = defaultQuotaLimit,
      lane,
      caller = '',
      onQueued,
      notAfterMs,
      signal,
    } = options;
    checkClock();
    const key = openKey(fingerprint, limit);
    const findReason = () => key.findBlock()?.reason ?? key.estimate(call, call).reason;
    const call = createWaitingCall({ lane, caller, onQueued, notAfterMs, signal, now, findReason });
    if (isClosed) call.reject(closedError());
    if (call.isWaiting()) {
      key.add(call, { lostSlot });
      clockTimer ??= setInterval(checkClock, clockCheckMs).unref();
    }
    const attributes = { 'rackhand.lane': lane };
    return spans.tracePromise(() => call.granted, { name: 'wait for quota', attributes });
  }

  /** Prepares a call and makes it, unless it has lost its slot meanwhile. */
  async function useSlot<T>(
    granted: GrantedSlot,
    { limit, lane, beforeSend, notAfterMs = Number.POSITIVE_INFINITY }: ScheduleOptions,
    requestedAtMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const { slot } = granted;
    const key = openKey(slot.fingerprint, limit);
    try {
      if (isClosed) throw closedError();
      if (beforeSend)
        await withTimeout(beforeSend(), timing.callTimeoutMs, () => {
          throw deadlinePassedError('The checks before the request took too long.');
        });
      if (!(await isStillGranted(key, granted))) return undefined;
      // A frozen process can have passed the deadline since the call got its slot.
      if (now() >= notAfterMs) throw deadlinePassedError('The deadline has passed.');
      onSent?.(lane, clock() - requestedAtMs);
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

  /**
   * Confirms a slot that was taken long ago. In a process that was frozen, it could have expired, and
   * another process could be using it. A computer that sleeps stops one of the two clocks.
   */
  async function isStillGranted(key: KeyLimiter, granted: GrantedSlot): Promise<boolean> {
    let { slot, askedAt } = granted;
    const isOld = () =>
      Math.max(clock() - askedAt.clockMs, Date.now() - askedAt.machineMs) > timing.startTimeoutMs;
    while (key.isBlocked() || isOld()) {
      const confirmed = await key.confirm(slot);
      if (!confirmed) {
        logger.warn({}, 'a call lost its slot before it was sent');
        return false;
      }
      askedAt = confirmed.askedAt;
    }
    return true;
  }

  return {
    async schedule(options, call) {
      const requestedAtMs = clock();
      for (let lostSlot = false; ; lostSlot = true) {
        const granted = await waitForSlot(options, lostSlot);
        const used = await track(useSlot(granted, options, requestedAtMs, call));
        if (used) return used.result;
      }
    },

    now,

    async pause(fingerprint, untilMs) {
      const forMs = untilMs - now();
      if (forMs <= 0) return;
      openKey(fingerprint).block('pause', forMs);
      await slots.pause(fingerprint, forMs).catch((error: unknown) => {
        logger.warn({ err: error }, 'a pause was not recorded, so only this process obeys it');
      });
    },

    async usage(fingerprint, limit = defaultQuotaLimit, caller = '') {
      const key = openKey(fingerprint, limit);
      await key.refresh();
      const inUse = [...key.listInUse().values()];
      const limits = toSlotLimits(limit, shares);
      const waits = {
        people: key.estimate({ lane: 'people', caller }),
        background: key.estimate({ lane: 'background', caller: '' }),
      };
      const ofPeople = inUse.filter((slot) => slot.lane === 'people');
      return {
        limit,
        backgroundLimit: limits.background,
        reportLimit: limits.caller.background,
        holdMs: timing.holdMs,
        used: mapLanes((lane) => inUse.filter((slot) => slot.lane === lane).length),
        ownPeople: {
          used: ofPeople.filter((slot) => slot.caller === caller).length,
          limit: limits.caller.people,
        },
        waiting: mapLanes((lane) => key.listWaiting().filter((call) => call.lane === lane).length),
        waitMs: mapLanes((lane) => waits[lane].waitMs),
        waitReason: mapLanes((lane) => waits[lane].reason),
      };
    },

    totals: () => ({
      used: mapLanes((lane) => listKeys().reduce((count, key) => count + key.countOwn(lane), 0)),
      waiting: mapLanes((lane) =>
        listKeys().reduce(
          (count, key) => count + key.listWaiting().filter((call) => call.lane === lane).length,
          0,
        ),
      ),
    }),

    async close() {
      isClosed = true;
      clearInterval(clockTimer);
      for (const key of listKeys()) for (const call of key.listWaiting()) call.reject(closedError());
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      for (const key of listKeys()) key.close();
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
