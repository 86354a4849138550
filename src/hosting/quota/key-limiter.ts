import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { withTimeout } from '../../with-timeout.ts';
import { type Lane, mapLanes, type SlotLimits } from './lanes.ts';
import { createLimiters, inUsePriority, lanePriorities } from './limiters.ts';
import type { QuotaTiming } from './quota-timing.ts';
import { type BlockReason, hasRoom, type KeyLoad, type Slot, type SlotInUse, type Slots } from './slots.ts';
import { estimateWait, type WaitEstimate } from './wait-estimate.ts';
import { createWaitingCall, type WaitingCall, type WaitingOptions } from './waiting-call.ts';

interface KeyLimiterOptions {
  readonly fingerprint: string;
  readonly limits: SlotLimits;
  readonly slots: Slots;
  readonly timing: QuotaTiming;
  /** The clock for deadlines (epoch ms). */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Registers work that must finish before the limiter closes. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  /** Called when no call waits and no slot is in use. */
  readonly onIdle: () => void;
}

type LaneCounts = Readonly<Record<Lane, number>>;

export interface QuotaUsage {
  readonly limit: number;
  /** Number of slots that the background lane, and one report in it, can use. */
  readonly backgroundLimit: number;
  readonly reportLimit: number;
  /** How long a call holds its slot after its response, in ms: the window plus a margin. */
  readonly holdMs: number;
  /** Number of slots in use, in all processes. */
  readonly used: LaneCounts;
  /** Slots that the requesting person uses, and the maximum per person. */
  readonly ownPeople: { readonly used: number; readonly limit: number };
  /** Number of calls that wait for a slot, in this process. */
  readonly waiting: LaneCounts;
  /** How long a new call would wait, and why. */
  readonly wait: Readonly<Record<Lane, WaitEstimate>>;
}

/** A slot in use that this process knows of. Times are monotonic (`performance.now()`). */
interface HeldSlot extends Pick<Slot, 'lane' | 'caller'> {
  readonly isOwn: boolean;
  /** When a call in this process asked for the slot. */
  askedAtMs: number;
  /** Infinite while the call is in flight. */
  freeAtMs: number;
  timer?: NodeJS.Timeout;
  readonly freed: PromiseWithResolvers<void>;
}

/**
 * Delay between retries while the database doesn't answer, and how long that can last before the waiting
 * calls are rejected.
 */
const retryMs = 1_000;
const maxUnreachableMs = 60_000;
const listTimeoutMs = 2_000;

/**
 * How long Bottleneck counts a slot after the slot is freed. Lets a person whose share was used up join the
 * queue ahead of the background.
 */
const yieldMs = 5;

/** Minimum wait, and minimum increase in a wait, that gets reported. */
const reportAfterMs = 50;
const minLongerMs = 1_000;

const clock = () => performance.now();

/** The limiters of one API key in this process. */
export type KeyLimiter = ReturnType<typeof createKeyLimiter>;

export function createKeyLimiter(options: KeyLimiterOptions) {
  const { fingerprint, slots, timing, now, logger, track, onIdle } = options;
  let { limits } = options;
  const limiters = createLimiters(limits);
  const held = new Map<string, HeldSlot>();
  /** The waiting calls, with the last wait reported to each. */
  const waiting = new Map<WaitingCall, { readonly reason: string; readonly untilMs: number } | undefined>();
  /**
   * The latest request for a slot in each lane. Only one call per lane asks at a time, so the next call
   * knows the answer.
   */
  const asking = mapLanes(() => Promise.resolve(false));
  /** Resolves when a share may have become free. */
  let changed = Promise.withResolvers<void>();
  let block: { readonly reason: BlockReason; readonly untilMs: number } | undefined;
  let unblockTimer: NodeJS.Timeout | undefined;
  let unreachableSinceMs: number | undefined;

  const listWaiting = () => [...waiting.keys()].filter((call) => call.isWaiting());
  const countWaiting = () => mapLanes((lane) => listWaiting().filter((call) => call.lane === lane).length);

  function wake(): void {
    changed.resolve();
    changed = Promise.withResolvers();
    if (waiting.size === 0 && held.size === 0 && !block) onIdle();
  }

  function hold(id: string, { lane, caller }: Pick<Slot, 'lane' | 'caller'>, isOwn: boolean): HeldSlot {
    const freed = Promise.withResolvers<void>();
    const slot = { lane, caller, isOwn, askedAtMs: clock(), freeAtMs: Number.POSITIVE_INFINITY, freed };
    held.set(id, slot);
    return slot;
  }

  function free(id: string, slot: HeldSlot | undefined): void {
    clearTimeout(slot?.timer);
    held.delete(id);
    slot?.freed.resolve();
    wake();
  }

  function freeLater(id: string, slot: HeldSlot | undefined, afterMs: number): void {
    if (!slot) return;
    slot.freeAtMs = clock() + afterMs;
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => {
      wake();
      slot.timer = setTimeout(() => free(id, slot), yieldMs).unref();
    }, afterMs).unref();
  }

  /** Counts slots used by other processes, including earlier processes. */
  function learn({ slots: inUse, block: pause }: KeyLoad): void {
    if (pause) blockFor(pause.reason, pause.forMs);
    for (const [id, { lane, caller, freeAfterMs }] of inUse) {
      const known = held.get(id);
      if (known?.isOwn) continue;
      const slot = known ?? hold(id, { lane, caller }, false);
      if (!known) void limiters.run(lane, inUsePriority, () => slot.freed.promise);
      // A call in flight is answered now at the earliest, and then keeps its slot for the hold time.
      freeLater(id, slot, Math.min(freeAfterMs, timing.holdMs));
    }
    for (const [id, slot] of held) if (!slot.isOwn && !inUse.has(id)) free(id, slot);
  }

  function refresh(): Promise<void> {
    return withTimeout(slots.list(fingerprint), listTimeoutMs).then(learn, blockUnreachable);
  }

  function blockFor(reason: BlockReason, forMs: number): void {
    const untilMs = clock() + forMs;
    if (forMs <= 0 || untilMs <= (block?.untilMs ?? 0)) return;
    block = { reason, untilMs };
    limiters.setBlocked(true);
    clearTimeout(unblockTimer);
    unblockTimer = setTimeout(unblock, forMs).unref();
    for (const call of waiting.keys()) report(call);
  }

  function unblock(): void {
    block = undefined;
    limiters.setBlocked(false);
    wake();
  }

  function blockUnreachable(error: unknown): void {
    if (unreachableSinceMs === undefined)
      logger.warn({ err: error }, "calls wait because the quota's slots can't be counted in the database");
    unreachableSinceMs ??= clock();
    if (clock() - unreachableSinceMs > maxUnreachableMs) rejectWaiting(error);
    blockFor('unreachable', retryMs);
  }

  /** Asks for a slot or renews one. Returns whether the call has the slot. */
  async function take(slot: Slot): Promise<boolean> {
    if (block) return false;
    const askedAtMs = clock();
    try {
      const { isTaken, ...load } = await slots.take(slot, limits);
      unreachableSinceMs = undefined;
      const own = held.get(slot.id);
      if (own) own.askedAtMs = askedAtMs;
      if (!isTaken) learn(load);
      return isTaken;
    } catch (error) {
      blockUnreachable(error);
      return false;
    }
  }

  /** Runs in Bottleneck from the moment there is room until the call's slot is free again. */
  async function use(call: WaitingCall, denied: () => void): Promise<void> {
    const slot = { id: randomUUID(), fingerprint, lane: call.lane, caller: call.caller };
    const asked = asking[call.lane].then(() => {
      if (!call.isWaiting() || !hasRoom(listInUse(), slot, limits)) return false;
      hold(slot.id, slot, true);
      return take(slot);
    });
    asking[call.lane] = asked;
    const isTaken = await track(asked);
    const own = held.get(slot.id);
    if (isTaken && own && call.isWaiting()) {
      call.grant(slot);
      return own.freed.promise;
    }
    if (isTaken) await track(cancel(slot));
    else free(slot.id, own);
    denied();
  }

  /** Waits for a share, and then for a slot. Ends early if the call stops waiting. */
  async function queue(call: WaitingCall): Promise<void> {
    const { lane, caller } = call;
    for (let priority: number = lanePriorities[lane]; call.isWaiting(); ) {
      const own = [...listInUse().values()].filter((slot) => slot.lane === lane && slot.caller === caller);
      if (own.length >= limits.caller[lane]) await Promise.race([changed.promise, call.ended]);
      else {
        const { promise: denied, resolve } = Promise.withResolvers<void>();
        void limiters.run(lane, priority, () => use(call, resolve));
        await Promise.race([denied, call.ended]);
        // A call that was denied a slot goes ahead of other calls in its lane.
        priority = lanePriorities[lane] - 1;
      }
    }
  }

  /** Reports a call's wait, unless it has hardly changed since the last report. */
  function report(call: WaitingCall): void {
    if (!call.onQueued || !call.isWaiting()) return;
    const { waitMs, reason } = estimate(call, call);
    const untilMs = clock() + waitMs;
    const told = waiting.get(call);
    if (waitMs <= 0 || (told?.reason === reason && untilMs < told.untilMs + minLongerMs)) return;
    waiting.set(call, { reason, untilMs });
    try {
      call.onQueued(waitMs, reason);
    } catch (error) {
      logger.warn({ err: error }, 'an estimate of the wait was not delivered');
    }
  }

  function listInUse(): ReadonlyMap<string, SlotInUse> {
    const inUse = new Map<string, SlotInUse>();
    for (const [id, { lane, caller, freeAtMs }] of held) {
      const freeAfterMs = Math.min(freeAtMs - clock(), timing.holdMs);
      if (freeAfterMs > 0) inUse.set(id, { lane, caller, freeAfterMs });
    }
    return inUse;
  }

  /** Returns why all calls wait. If the database doesn't answer by the end of the block, they're rejected. */
  function findBlock(): KeyLoad['block'] {
    if (unreachableSinceMs !== undefined)
      return { reason: 'unreachable', forMs: unreachableSinceMs + maxUnreachableMs - clock() };
    return block && { reason: block.reason, forMs: block.untilMs - clock() };
  }

  function estimate(
    { lane, caller }: Pick<WaitingCall, 'lane' | 'caller'>,
    call?: WaitingCall,
  ): WaitEstimate {
    const load = { slots: listInUse(), block: findBlock() };
    return estimateWait({ lane, caller, call, waiting: listWaiting(), limits, load, holdMs: timing.holdMs });
  }

  function rejectWaiting(error: unknown): void {
    for (const call of waiting.keys()) call.reject(error);
  }

  /** Frees a slot whose call was certainly not sent. */
  async function cancel(slot: Slot): Promise<void> {
    await logFailure(slots.cancel(slot), 'the slot of an unsent call stays in use until it expires');
    freeLater(slot.id, held.get(slot.id), 0);
  }

  const logFailure = (work: Promise<void>, message: string) =>
    work.catch((error: unknown) => logger.warn({ err: error }, message));

  return {
    /** Waits for a slot. Rejects if the call doesn't get one. */
    waitForSlot(waitingOptions: WaitingOptions): Promise<Slot> {
      const findReason = () => findBlock()?.reason ?? estimate(call, call).reason;
      const call = createWaitingCall(waitingOptions, now, findReason);
      waiting.set(call, undefined);
      const refreshAndReport = () => void refresh().then(() => report(call));
      const timer = setTimeout(refreshAndReport, reportAfterMs).unref();
      void call.ended.then(() => {
        clearTimeout(timer);
        waiting.delete(call);
        wake();
      });
      void limiters.takeTurn(`${call.lane} ${call.caller}`, () => queue(call));
      return call.granted;
    },

    /**
     * Returns whether a call can still use its slot, and frees the slot otherwise. If this process was
     * frozen, the slot may have expired, and another process may be using it.
     */
    async confirm(slot: Slot): Promise<boolean> {
      const isOld = () => clock() - (held.get(slot.id)?.askedAtMs ?? 0) > timing.startTimeoutMs;
      while (block || isOld()) {
        // A slot that's no longer held can't be confirmed, even if it could be taken again.
        if (held.has(slot.id) && (await take(slot))) continue;
        logger.warn({}, 'a call lost its slot before it was sent');
        await cancel(slot);
        return false;
      }
      return true;
    },

    /** Keeps a call's slot for the hold time after the call has ended. */
    async answered(slot: Slot): Promise<void> {
      await logFailure(
        slots.answered(slot),
        'the slot of a call that has ended stays in use until it expires',
      );
      freeLater(slot.id, held.get(slot.id), timing.holdMs);
    },

    cancel,

    /** Pauses all calls, in all processes. Never shortens an earlier pause. */
    async pause(forMs: number): Promise<void> {
      blockFor('pause', forMs);
      await logFailure(
        slots.pause(fingerprint, forMs),
        'only this process obeys a pause, because it was not recorded',
      );
    },

    resize(newLimits: SlotLimits): void {
      if (newLimits.all === limits.all) return;
      limits = newLimits;
      limiters.replace(limits);
      wake();
    },

    async usage(caller: string): Promise<QuotaUsage> {
      await refresh();
      const inUse = [...listInUse().values()];
      const ofPeople = inUse.filter((slot) => slot.lane === 'people');
      const used = ofPeople.filter((slot) => slot.caller === caller).length;
      return {
        limit: limits.all,
        backgroundLimit: limits.background,
        reportLimit: limits.caller.background,
        holdMs: timing.holdMs,
        used: { people: ofPeople.length, background: inUse.length - ofPeople.length },
        ownPeople: { used, limit: limits.caller.people },
        waiting: countWaiting(),
        wait: mapLanes((lane) => estimate({ lane, caller: lane === 'people' ? caller : '' })),
      };
    },

    countWaiting,
    countOwn: () =>
      mapLanes((lane) => [...held.values()].filter((slot) => slot.isOwn && slot.lane === lane).length),
    clockWasSetBack: () => limiters.replace(limits),
    rejectWaiting,

    close(): void {
      limiters.stop();
      clearTimeout(unblockTimer);
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}
