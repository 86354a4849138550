import { randomUUID } from 'node:crypto';
import { createFairQueue } from './fair-queue.ts';
import { type Lane, mapLanes, type SlotLimits } from './lanes.ts';
import type { Ledger, LimiterContext, Slot, SlotDecision, WaitReason } from './ledger/ledger.ts';
import type { QueuedCall } from './queued-call.ts';
import { createSleeper } from './sleep.ts';

/** A call in the queue of its key. */
export interface KeyCall extends QueuedCall {
  readonly lane: Lane;
  readonly line: string;
  /** When the call began to wait, on the clock that never jumps. */
  readonly requestedAtMs: number;
  /**
   * Called when the call has to wait. `hasChanged` is true if a call that already waits has a new
   * estimate, because the whole key is blocked or because its turn is nearer.
   */
  onWait(hasChanged: boolean): void;
}

/** The calls of this process that wait for the slots of one key. */
export interface KeyQueue {
  /** Adds a call that waits. A call that lost its slot goes before all others. */
  add(call: KeyCall, options: { readonly lostSlot: boolean }): void;
  /** Asks the ledger for a slot, also for one that the call has already got. Throws if the ledger fails. */
  requestSlot(slot: Slot, call: KeyCall): Promise<SlotDecision>;
  /** Lets a call that waits also wait in another line of its lane. Its first turn in any line sends it. */
  join(line: string, call: KeyCall): void;
  /** Changes the quota for all calls that have no slot yet. */
  resize(limits: SlotLimits): void;
  /** Counts the calls that get a slot before `call`, or before a new call of the line. */
  countBefore(lane: Lane, line: string, call?: KeyCall): CallsBefore;
  list(lane: Lane): readonly KeyCall[];
  /** Asks the ledger again, because calls were rejected or a slot was given back. */
  wake(): void;
}

export interface CallsBefore {
  readonly lane: Readonly<Record<Lane, number>>;
  /** The number of these calls that are in the same line. */
  readonly line: number;
}

/** Reasons that concern all calls of a key. */
const blockingReasons: ReadonlySet<WaitReason> = new Set(['pause', 'unknown', 'unreachable']);

/** If a pause gets longer by less than this, the waiting calls aren't notified. */
const minLongerMs = 1_000;

/** Creates the queue of a key. `onIdle` is called when no call waits. */
export function createKeyQueue(
  fingerprint: string,
  firstLimits: SlotLimits,
  ledger: Ledger,
  { clock }: Pick<LimiterContext, 'clock'>,
  onIdle: () => void,
): KeyQueue {
  let limits = firstLimits;
  /** How often all lanes were woken, because a slot was given back or the quota was changed. */
  let wakeCount = 0;
  const lanes = mapLanes(() => ({
    queue: createFairQueue<KeyCall>(),
    sleeper: createSleeper(),
    isServed: false,
    /** Whether all waiting lines have used up their share. */
    isHeld: false,
    /** Why the last call got no slot. */
    blockedReason: undefined as WaitReason | undefined,
    /** Until when the key was blocked when the calls were last notified of it. */
    blockedUntilMs: 0,
  }));

  /** Gives slots to the calls of a lane until none waits. */
  async function serve(lane: Lane) {
    const state = lanes[lane];
    const { queue, sleeper } = state;
    for (;;) {
      const nextTurnMs = queue.nextTurnMs();
      if (nextTurnMs === undefined) break;
      const next = queue.next(clock());
      if (next) await serveCall(lane, next.line, next.call);
      else {
        state.isHeld = true;
        await sleeper.sleep(nextTurnMs - clock());
        state.isHeld = false;
      }
    }
    state.isServed = false;
    state.blockedReason = undefined;
    if (!lanes.people.isServed && !lanes.background.isServed) onIdle();
  }

  /** Gives the call a slot if one is free. Otherwise waits until the lane can ask again. */
  async function serveCall(lane: Lane, line: string, call: KeyCall): Promise<void> {
    const state = lanes[lane];
    const { queue, sleeper } = state;
    const slot: Slot = { fingerprint, callId: randomUUID(), lane, line };
    const wakeCountBefore = wakeCount;
    let decision: SlotDecision;
    try {
      decision = await requestSlot(slot, call);
    } catch (error) {
      call.reject(error);
      // Other calls may have been denied the slot while it was being recorded.
      wake();
      return;
    }
    if (decision.isGranted) {
      state.blockedReason = undefined;
      // The call can have passed its deadline while the slot was requested.
      if (!call.isWaiting()) {
        void ledger.cancel(slot).then(wake);
        return;
      }
      queue.take(line, call);
      call.grant({ slot, atMs: decision.atMs });
      return;
    }
    const { reason } = decision;
    const waitMs = Math.min(decision.waitMs, ledger.maxWaitMs);
    if (reason === 'line') {
      // The line can have its turn since the ledger decided.
      if (wakeCount !== wakeCountBefore) return;
      queue.hold(line, clock() + waitMs);
      for (const waiting of queue.list(line)) delay(waiting, reason, false);
      return;
    }
    block(lane, reason, clock() + decision.waitMs);
    await sleeper.sleep(waitMs);
  }

  /** Records why a lane has to wait, and notifies its calls. */
  function block(lane: Lane, reason: WaitReason, untilMs: number) {
    const state = lanes[lane];
    const isLonger = reason === 'pause' && untilMs > state.blockedUntilMs + minLongerMs;
    const isNewlyBlocked = blockingReasons.has(reason) && (reason !== state.blockedReason || isLonger);
    if (isNewlyBlocked) state.blockedUntilMs = untilMs;
    state.blockedReason = reason;
    for (const waiting of state.queue.list()) delay(waiting, reason, isNewlyBlocked);
  }

  function delay(call: KeyCall, reason: WaitReason, hasChanged: boolean) {
    call.setWaitReason(reason);
    call.onWait(hasChanged);
  }

  function requestSlot(slot: Slot, call: KeyCall): Promise<SlotDecision> {
    return ledger.acquire({ slot, limits, arePeopleWaiting: lanes.people.queue.hasOther(call, clock()) });
  }

  function join(line: string, call: KeyCall) {
    const { queue, isHeld, sleeper } = lanes[call.lane];
    if (!call.isWaiting()) return;
    queue.add(line, call);
    if (isHeld) sleeper.wake();
    call.onWait(true);
  }

  function add(call: KeyCall, { lostSlot }: { readonly lostSlot: boolean }) {
    const state = lanes[call.lane];
    if (lostSlot) state.queue.putBack(call.line, call);
    else state.queue.add(call.line, call);
    if (state.isHeld) state.sleeper.wake();
    const reason = state.queue.isHeld(call.line, clock()) ? 'line' : state.blockedReason;
    if (state.isServed && reason) delay(call, reason, false);
    if (state.isServed) return;
    state.isServed = true;
    void serve(call.lane);
  }

  function wake() {
    wakeCount += 1;
    for (const { queue, sleeper, isServed } of Object.values(lanes)) {
      queue.releaseHolds();
      if (isServed) sleeper.wake();
    }
  }

  return {
    add,
    requestSlot,
    join,
    resize(newLimits) {
      if (newLimits.all === limits.all) return;
      limits = newLimits;
      wake();
    },
    countBefore(lane, line, call) {
      const own = lanes[lane].queue.countBefore(line, call);
      return {
        lane: mapLanes((each) => (each === lane ? own.all : lanes[each].queue.list().length)),
        line: own.inLine,
      };
    },
    list: (lane) => lanes[lane].queue.list(),
    wake,
  };
}
