import { randomUUID } from 'node:crypto';
import Bottleneck from 'bottleneck';
import { withTimeout } from '../../with-timeout.ts';
import type { Lane, SlotLimits } from './lanes.ts';
import { mapLanes } from './lanes.ts';
import type { QuotaTiming } from './quota-timing.ts';
import type { QuotaLogger } from './slot-table.ts';
import { type BlockReason, hasRoom, type KeyLoad, type Slot, type SlotInUse, type Slots } from './slots.ts';
import { type CallsBefore, estimateWait, type WaitEstimate } from './wait-estimate.ts';
import { type GrantedSlot, maxTimerDelayMs, type WaitingCall, type WaitReason } from './waiting-call.ts';

/** Passed to all parts of a rate limiter. */
export interface LimiterContext {
  readonly slots: Slots;
  readonly timing: QuotaTiming;
  /** Milliseconds of a clock that never jumps. */
  readonly clock: () => number;
  readonly logger: QuotaLogger;
  /** Makes a stop wait for the work. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
}

/** The limiters of one API key in this process. */
export type KeyLimiter = ReturnType<typeof createKeyLimiter>;

interface HeldSlot extends Pick<Slot, 'lane' | 'caller'> {
  /** `asked`: a call of this process asks for it. `own`: a call of this process has it. */
  state: 'asked' | 'own' | 'foreign';
  /** Infinite while the call is in flight. */
  freeAtMs: number;
  timer: NodeJS.Timeout | undefined;
  readonly freed: PromiseWithResolvers<void>;
}

/** The limiters of a lane, and of each caller in it. */
interface Limiters extends Readonly<Record<Lane, Bottleneck>> {
  readonly turns: Map<string, Bottleneck>;
}

/** Priorities in Bottleneck, from 0 to 9. The slots in use come first: they must be counted. */
const inUsePriority = 0;
const priorities = { people: 1, background: 5 } as const;

/** Wait before the next request to a database that doesn't answer. */
const retryMs = 1_000;

/** For longer than this, calls don't wait for a database that doesn't answer. */
const maxUnreachableMs = 60_000;

/** How long usage waits for the database. */
const refreshTimeoutMs = 2_000;

/**
 * How long a slot that is free still counts in Bottleneck. Meanwhile, a person whose share was used up takes a
 * place in the queue, before the background.
 */
const yieldMs = 5;

/** A shorter wait isn't reported. */
const reportAfterMs = 50;

/** A call is told again if its wait gets longer by more than this. */
const minLongerMs = 1_000;

/** Creates the limiters of a key. `onIdle` is called when nothing waits and no slot is in use. */
export function createKeyLimiter(
  fingerprint: string,
  firstLimits: SlotLimits,
  { slots, timing, clock, logger, track }: LimiterContext,
  onIdle: () => void,
) {
  let limits = firstLimits;
  let block: { readonly reason: BlockReason; readonly untilMs: number } | undefined;
  let unblockTimer: NodeJS.Timeout | undefined;
  let limiters = createLimiters();
  let isClosed = false;
  /** The calls that wait, with what each was told last. */
  const waiting = new Map<
    WaitingCall,
    { readonly reason: WaitReason; readonly untilMs: number } | undefined
  >();
  const held = new Map<string, HeldSlot>();
  /** Resolves when a share can have become free. */
  let changed = Promise.withResolvers<void>();
  /** One call of a lane at a time asks for a slot, so that the next one knows the answer. */
  const asking = mapLanes(() => Promise.resolve<unknown>(undefined));
  let unreachableSinceMs: number | undefined;
  let refreshing: Promise<void> | undefined;

  function createLimiters(): Limiters {
    const reservoir = block ? 0 : null;
    const people = new Bottleneck({ maxConcurrent: limits.all, reservoir });
    const background = new Bottleneck({ maxConcurrent: limits.background }).chain(people);
    return { people, background, turns: new Map() };
  }

  function turnOf({ turns }: Limiters, { lane, caller }: WaitingCall): Bottleneck {
    const name = `${lane} ${caller}`;
    const turn = turns.get(name) ?? new Bottleneck({ maxConcurrent: 1 });
    turns.set(name, turn);
    return turn;
  }

  /** Runs a job with the current limiters. If they are replaced before it begins, with the next ones. */
  async function run(
    choose: (from: Limiters) => Bottleneck,
    priority: number,
    job: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const current = limiters;
      try {
        return await choose(current).schedule({ priority }, job);
      } catch (error) {
        if (isClosed) return;
        if (limiters === current) throw error;
      }
    }
  }

  function wake(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  function checkIdle(): void {
    if (waiting.size === 0 && held.size === 0 && !block) onIdle();
  }

  function hold(
    id: string,
    { lane, caller }: Pick<Slot, 'lane' | 'caller'>,
    state: HeldSlot['state'],
  ): HeldSlot {
    const freed = Promise.withResolvers<void>();
    const slot = { lane, caller, state, freeAtMs: Number.POSITIVE_INFINITY, timer: undefined, freed };
    held.set(id, slot);
    return slot;
  }

  function freeLater(id: string, slot: HeldSlot, afterMs: number): void {
    slot.freeAtMs = clock() + afterMs;
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => {
      wake();
      slot.timer = setTimeout(() => free(id), yieldMs).unref();
    }, afterMs).unref();
  }

  function free(id: string): void {
    const slot = held.get(id);
    held.delete(id);
    clearTimeout(slot?.timer);
    slot?.freed.resolve();
    wake();
    checkIdle();
  }

  /** Counts a slot in Bottleneck that none of the limiter's jobs uses. */
  function occupy({ lane, freed }: HeldSlot): void {
    void run(
      (from) => from[lane],
      inUsePriority,
      () => freed.promise,
    );
  }

  /** Counts what other processes have in use, and earlier ones had. */
  function learn({ slots: inUse, block: newBlock }: KeyLoad): void {
    if (newBlock) blockFor(newBlock.reason, newBlock.forMs);
    if (newBlock?.reason === 'unknown') return;
    for (const [id, { lane, caller, freeAfterMs }] of inUse) {
      const known = held.get(id);
      if (known && known.state !== 'foreign') continue;
      const slot = known ?? hold(id, { lane, caller }, 'foreign');
      if (!known) occupy(slot);
      // A call in flight is answered now at the earliest.
      freeLater(id, slot, Math.min(freeAfterMs, timing.holdMs));
    }
    for (const [id, { state }] of held) if (state === 'foreign' && !inUse.has(id)) free(id);
  }

  /** Learns what other processes have in use. */
  function refresh(): Promise<void> {
    const failed = () => {
      throw new Error('the database took too long');
    };
    refreshing ??= withTimeout(slots.list(fingerprint), refreshTimeoutMs, failed)
      .then(learn, blockUnreachable)
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  /** Stops all calls. Never shortens an earlier block. */
  function blockFor(reason: BlockReason, forMs: number): void {
    const earlierMs = block?.untilMs ?? 0;
    const untilMs = clock() + forMs;
    if (forMs <= 0 || untilMs <= earlierMs) return;
    block = { reason, untilMs };
    void limiters.people.updateSettings({ reservoir: 0 });
    clearTimeout(unblockTimer);
    unblockTimer = setTimeout(unblock, Math.min(forMs, maxTimerDelayMs)).unref();
    if (untilMs > earlierMs + minLongerMs) for (const call of waiting.keys()) void report(call);
  }

  function unblock(): void {
    block = undefined;
    void limiters.people.updateSettings({ reservoir: null });
    checkIdle();
  }

  function blockUnreachable(error: unknown): void {
    if (unreachableSinceMs === undefined)
      logger.warn({ err: error }, "calls wait because the table of the quota's slots can't be used");
    unreachableSinceMs ??= clock();
    if (clock() - unreachableSinceMs > maxUnreachableMs) for (const call of listWaiting()) call.reject(error);
    blockFor('unreachable', retryMs);
  }

  /** Asks for a slot, or confirms one. Returns undefined if the call must wait. */
  async function take(slot: Slot): Promise<GrantedSlot | undefined> {
    if (block) return undefined;
    const askedAt = { clockMs: clock(), machineMs: Date.now() };
    try {
      const { isTaken, ...load } = await slots.take(slot, limits);
      unreachableSinceMs = undefined;
      if (!isTaken) learn(load);
      return isTaken ? { slot, askedAt } : undefined;
    } catch (error) {
      blockUnreachable(error);
      return undefined;
    }
  }

  /** The job of a call. It begins when Bottleneck has room, and ends when the slot is free again. */
  async function use(call: WaitingCall, denied: () => void): Promise<void> {
    const { lane, caller } = call;
    const began = limiters;
    const slot = { id: randomUUID(), fingerprint, lane, caller };
    const asked = asking[lane].then(async () => {
      if (!call.isWaiting() || !hasRoom(listInUse(true), slot, limits)) return undefined;
      hold(slot.id, slot, 'asked');
      return take(slot);
    });
    asking[lane] = asked;
    const granted = await track(asked);
    const own = held.get(slot.id);
    if (granted && own && call.isWaiting()) {
      own.state = 'own';
      if (limiters !== began) occupy(own);
      call.grant(granted);
      return own.freed.promise;
    }
    if (granted) await track(cancel(slot));
    else free(slot.id);
    denied();
  }

  /** Waits until the caller has a share left, and then for a slot. Ends when the call no longer waits. */
  async function waitForSlot(call: WaitingCall, lostSlot: boolean): Promise<void> {
    const { lane, caller } = call;
    for (let isRetry = lostSlot; call.isWaiting(); ) {
      const inUse = [...listInUse().values()];
      const own = inUse.filter((slot) => slot.lane === lane && slot.caller === caller);
      if (own.length >= limits.caller[lane]) await Promise.race([changed.promise, call.ended]);
      else {
        const { promise: denied, resolve } = Promise.withResolvers<void>();
        const priority = priorities[lane] - (isRetry ? 1 : 0);
        void run(
          (from) => from[lane],
          priority,
          () => use(call, resolve),
        );
        await Promise.race([denied, call.ended]);
        isRetry = true;
      }
    }
  }

  /** Tells a call how long it waits, unless that is what it was told before. */
  async function report(call: WaitingCall): Promise<void> {
    if (!call.onQueued || !call.isWaiting()) return;
    await refresh();
    const { waitMs, reason } = estimate(call, call);
    const untilMs = clock() + waitMs;
    const told = waiting.get(call);
    const isKnown = told?.reason === reason && untilMs < told.untilMs + minLongerMs;
    if (waitMs <= 0 || isKnown || !call.isWaiting()) return;
    waiting.set(call, { reason, untilMs });
    try {
      call.onQueued(waitMs, reason);
    } catch (error) {
      logger.warn({ err: error }, 'an estimate of the wait was not delivered');
    }
  }

  const listWaiting = () => [...waiting.keys()].filter((call) => call.isWaiting());

  function listInUse(includesAsked = false): ReadonlyMap<string, SlotInUse> {
    const inUse = new Map<string, SlotInUse>();
    for (const [id, { lane, caller, state, freeAtMs }] of held) {
      const freeAfterMs = Math.min(freeAtMs - clock(), timing.holdMs);
      if (freeAfterMs > 0 && (includesAsked || state !== 'asked'))
        inUse.set(id, { lane, caller, freeAfterMs });
    }
    return inUse;
  }

  /** Why all calls wait. Between two requests to a database that doesn't answer, nothing is blocked. */
  function findBlock(): KeyLoad['block'] {
    if (block) return { reason: block.reason, forMs: block.untilMs - clock() };
    return unreachableSinceMs === undefined ? undefined : { reason: 'unreachable', forMs: retryMs };
  }

  /** Estimates how long a waiting call, or a new call of the caller, will wait. */
  function estimate(question: Pick<WaitingCall, 'lane' | 'caller'>, call?: WaitingCall): WaitEstimate {
    const { lane, caller } = question;
    const before = countBefore(listWaiting(), question, call);
    const load = { slots: listInUse(), block: findBlock() };
    return estimateWait({ lane, caller, before, limits, load, holdMs: timing.holdMs });
  }

  async function cancel(slot: Slot): Promise<void> {
    await slots.cancel(slot).catch((error: unknown) => {
      logger.warn({ err: error }, 'the slot of an unsent call stays in use until it expires');
    });
    const own = held.get(slot.id);
    if (own) freeLater(slot.id, own, 0);
  }

  return {
    /** Lets a call wait for a slot. A call that lost its slot goes before all others of its lane. */
    add(call: WaitingCall, { lostSlot }: { readonly lostSlot: boolean }): void {
      waiting.set(call, undefined);
      const timer = setTimeout(() => void report(call), reportAfterMs).unref();
      void call.ended.then(() => {
        clearTimeout(timer);
        waiting.delete(call);
        const { lane, caller } = call;
        if (!listWaiting().some((other) => other.lane === lane && other.caller === caller))
          limiters.turns.delete(`${lane} ${caller}`);
        checkIdle();
      });
      const wait = () => waitForSlot(call, lostSlot);
      void (lostSlot ? wait() : run((from) => turnOf(from, call), inUsePriority, wait));
    },

    /** Returns undefined if the call must not use the slot after all. The slot is then free. */
    async confirm(slot: Slot): Promise<GrantedSlot | undefined> {
      const granted = await take(slot);
      if (!granted) await cancel(slot);
      return granted;
    },

    /** Holds the slot of a call that has ended for as long as it counts. */
    async answered(slot: Slot): Promise<void> {
      await slots.answered(slot).catch((error: unknown) => {
        logger.warn({ err: error }, 'a response was not recorded, so its slot stays in use until it expires');
      });
      const own = held.get(slot.id);
      if (own) freeLater(slot.id, own, timing.holdMs);
    },

    /** Frees the slot of a call that was certainly not sent. */
    cancel,
    block: blockFor,
    isBlocked: () => block !== undefined,

    resize(newLimits: SlotLimits): void {
      if (newLimits.all === limits.all) return;
      limits = newLimits;
      void limiters.people.updateSettings({ maxConcurrent: limits.all });
      void limiters.background.updateSettings({ maxConcurrent: limits.background });
      wake();
    },

    /** Replaces the limiters: after the clock was set back, Bottleneck starts no job for as long. */
    rebuild(): void {
      const { turns, background, people } = limiters;
      limiters = createLimiters();
      for (const slot of held.values()) occupy(slot);
      for (const limiter of [...turns.values(), background, people]) void limiter.stop();
    },

    refresh,
    listInUse,
    findBlock,
    estimate,
    listWaiting,
    countOwn: (lane: Lane) =>
      [...held.values()].filter((slot) => slot.state === 'own' && slot.lane === lane).length,

    close(): void {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(unblockTimer);
      for (const { timer } of held.values()) clearTimeout(timer);
      const { turns, background, people } = limiters;
      for (const limiter of [...turns.values(), background, people]) void limiter.stop();
    },
  };
}

/** Counts the calls that get a slot earlier. Callers take turns, so each has at most one more. */
function countBefore(
  waiting: readonly WaitingCall[],
  { lane, caller }: Pick<WaitingCall, 'lane' | 'caller'>,
  call?: WaitingCall,
): CallsBefore {
  const byCaller = Map.groupBy(
    waiting.filter((other) => other.lane === lane),
    (other) => other.caller,
  );
  const own = byCaller.get(caller) ?? [];
  const index = call ? own.indexOf(call) : -1;
  const before = index === -1 ? own.length : index;
  let all = before;
  let isEarlier = true;
  for (const [name, others] of byCaller) {
    if (name === caller) isEarlier = false;
    else all += Math.min(others.length, isEarlier ? before + 1 : before);
  }
  const inLane = (each: Lane) =>
    each === lane ? all : waiting.filter((other) => other.lane === each).length;
  return { lane: mapLanes(inLane), caller: before };
}
