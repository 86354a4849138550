import { randomUUID } from 'node:crypto';
import { withTimeout } from '../../with-timeout.ts';
import { createFairQueue } from './fair-queue.ts';
import { type Lane, mapLanes, type SlotLimits } from './lanes.ts';
import type { Ledger, LimiterContext, Slot, WaitReason } from './ledger/ledger.ts';
import { callTimeoutError, type QueuedCall } from './queued-call.ts';
import { createSleeper } from './sleep.ts';

/** A call in the queue of its key. */
export interface KeyCall extends QueuedCall {
  readonly lane: Lane;
  readonly line: string;
  /** Runs once the call has its slot. If it rejects, the call isn't sent. */
  prepare(): Promise<void>;
  /**
   * Called when the call has to wait. `hasChanged` is true if a call that already waits has a new
   * estimate, because the whole key is blocked or because its turn is nearer.
   */
  onWait(hasChanged: boolean): void;
}

/** The calls of this process that wait for the slots of one key. */
export interface KeyQueue {
  add(call: KeyCall): void;
  /** Lets a call that waits also wait in another line of its lane. Its first turn in any line sends it. */
  join(line: string, call: KeyCall): void;
  /** Changes the quota for all calls that have no slot yet. */
  resize(limits: SlotLimits): void;
  /** Counts the calls that get a slot before `call`, or before a new call of the line. */
  countBefore(lane: Lane, line: string, call?: KeyCall): CallsBefore;
  list(lane: Lane): readonly KeyCall[];
  /** Asks the ledger again, because calls were rejected. */
  wake(): void;
}

export interface CallsBefore {
  readonly lane: Readonly<Record<Lane, number>>;
  /** The number of these calls that are in the same line. */
  readonly line: number;
}

interface KeyQueueEvents {
  /** Called while a call is being sent, so that closing can wait for it. */
  readonly onSend: (sent: Promise<void>) => void;
  /** Called when no call waits or is being sent. */
  readonly onIdle: () => void;
}

/** Reasons that concern all calls of a key. */
const blockingReasons: ReadonlySet<WaitReason> = new Set(['pause', 'unknown', 'unreachable']);

export function createKeyQueue(
  fingerprint: string,
  firstLimits: SlotLimits,
  ledger: Ledger,
  { timing: { startTimeoutMs, callTimeoutMs }, clock, logger }: LimiterContext,
  { onSend, onIdle }: KeyQueueEvents,
): KeyQueue {
  let limits = firstLimits;
  let sendingCount = 0;
  const lanes = mapLanes(() => ({
    queue: createFairQueue<KeyCall>(),
    sleeper: createSleeper(),
    isServed: false,
    /** Whether all waiting lines have used up their share. */
    isHeld: false,
    /** Why the last call got no slot. */
    blockedReason: undefined as WaitReason | undefined,
  }));

  function reportIdle() {
    if (sendingCount === 0 && !lanes.people.isServed && !lanes.background.isServed) onIdle();
  }

  /** Gives slots to the calls of a lane until none waits. */
  async function serve(lane: Lane) {
    const state = lanes[lane];
    const { queue, sleeper } = state;
    for (;;) {
      const nextTurnMs = queue.nextTurnMs();
      if (nextTurnMs === undefined) break;
      const next = queue.next(clock());
      if (next) {
        const restMs = await serveCall(lane, next.line, next.call);
        if (restMs > 0) await sleeper.sleep(restMs);
      } else {
        state.isHeld = true;
        await sleeper.sleep(nextTurnMs - clock());
        state.isHeld = false;
      }
    }
    state.isServed = false;
    state.blockedReason = undefined;
    reportIdle();
  }

  /** Sends the call if it gets a slot. Returns how many ms to wait before the lane's next call. */
  async function serveCall(lane: Lane, line: string, call: KeyCall): Promise<number> {
    const state = lanes[lane];
    const { queue } = state;
    const slot: Slot = { fingerprint, callId: randomUUID(), lane, line };
    const decision = await decide(slot, call);
    if (decision === undefined) return 0;
    if (decision.isGranted) {
      state.blockedReason = undefined;
      // The call can have been cancelled while the slot was requested.
      if (!call.isWaiting()) {
        void ledger.cancel(slot);
        return 0;
      }
      queue.take(line);
      send(call, slot, decision.atMs);
      return 0;
    }
    const { reason, waitMs } = decision;
    if (reason === 'line') {
      queue.hold(line, clock() + waitMs);
      for (const waiting of queue.list(line)) delay(waiting, reason, false);
      return 0;
    }
    const isNewlyBlocked = blockingReasons.has(reason) && reason !== state.blockedReason;
    state.blockedReason = reason;
    for (const waiting of queue.list()) delay(waiting, reason, isNewlyBlocked);
    return waitMs;
  }

  function delay(call: KeyCall, reason: WaitReason, hasChanged: boolean) {
    call.setWaitReason(reason);
    call.onWait(hasChanged);
  }

  function send(call: KeyCall, slot: Slot, grantedAtMs: number) {
    sendingCount += 1;
    const sent = sendInSlot(call, slot, grantedAtMs).then(() => {
      sendingCount -= 1;
      reportIdle();
    });
    onSend(sent);
  }

  /** Asks the ledger. If it fails, the call is rejected, and the result is undefined. */
  async function decide(slot: Slot, call: KeyCall) {
    const arePeopleWaiting = lanes.people.queue.hasOther(call, clock());
    try {
      return await ledger.acquire({ slot, limits, arePeopleWaiting });
    } catch (error) {
      call.reject(error);
      return undefined;
    }
  }

  /**
   * Prepares the call and makes it. The slot must be confirmed if that takes long: in a process that
   * was frozen, the slot could have expired, and another process could be using it.
   */
  async function sendInSlot(call: KeyCall, slot: Slot, firstGrantedAtMs: number) {
    call.stopWaiting();
    try {
      await withTimeout(call.prepare(), callTimeoutMs, () => {
        throw callTimeoutError(callTimeoutMs);
      });
    } catch (error) {
      call.reject(error);
      return ledger.cancel(slot);
    }
    for (let grantedAtMs = firstGrantedAtMs; clock() - grantedAtMs > startTimeoutMs; ) {
      const decision = await decide(slot, call);
      if (decision?.isGranted) {
        grantedAtMs = decision.atMs;
        continue;
      }
      logger.warn({ reason: decision?.reason }, 'a call lost its slot before it was sent');
      if (!decision) return;
      call.resumeWaiting();
      if (call.isWaiting()) add(call, true);
      return;
    }
    await call.send();
    await ledger.markAnswered(slot);
  }

  function join(line: string, call: KeyCall) {
    const { queue, isHeld, sleeper } = lanes[call.lane];
    if (!call.isWaiting()) return;
    queue.add(line, call);
    if (isHeld) sleeper.wake();
    call.onWait(true);
  }

  function add(call: KeyCall, isRetry: boolean) {
    const state = lanes[call.lane];
    if (isRetry) state.queue.putBack(call.line, call);
    else state.queue.add(call.line, call);
    if (state.isHeld) state.sleeper.wake();
    const reason = state.queue.isHeld(call.line, clock()) ? 'line' : state.blockedReason;
    if (state.isServed && reason) delay(call, reason, false);
    if (state.isServed) return;
    state.isServed = true;
    void serve(call.lane);
  }

  function wake() {
    for (const { queue, sleeper, isServed } of Object.values(lanes)) {
      queue.releaseHolds();
      if (isServed) sleeper.wake();
    }
  }

  return {
    add: (call) => add(call, false),
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
