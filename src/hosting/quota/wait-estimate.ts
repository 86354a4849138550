import type { SlotLimits } from './lanes.ts';
import type { KeyLoad, SlotInUse } from './slots.ts';
import type { WaitingCall, WaitReason } from './waiting-call.ts';

export interface WaitEstimate {
  readonly waitMs: number;
  readonly reason: WaitReason;
}

interface EstimateOptions extends Pick<WaitingCall, 'lane' | 'caller'> {
  /** The waiting call, or undefined for a new one. */
  readonly call?: WaitingCall | undefined;
  /** This process's waiting calls, oldest first. */
  readonly waiting: readonly WaitingCall[];
  readonly limits: SlotLimits;
  readonly load: KeyLoad;
  readonly holdMs: number;
}

/**
 * Estimates how long a call waits for its slot, in ms, assuming that calls are answered immediately. Returns 0
 * if a slot is free.
 */
export function estimateWait(options: EstimateOptions): WaitEstimate {
  const { lane, caller, waiting, limits, load, holdMs } = options;
  const { block = { reason: 'quota', forMs: 0 } } = load;
  const inUse = [...load.slots.values()];
  const inLane = inUse.filter((slot) => slot.lane === lane);
  const before = countBefore(options);
  const people = lane === 'people' ? 0 : waiting.filter((other) => other.lane === 'people').length;
  const wait = (reason: WaitReason, count: number, slots: readonly SlotInUse[], callsBefore: number) => {
    const freeAfterMs = slots.map((slot) => slot.freeAfterMs).sort((a, b) => a - b);
    const unused = new Array<number>(Math.max(0, count - freeAfterMs.length)).fill(0);
    // If the quota was lowered, the first slots to become free can't be used.
    const usable = [...unused, ...freeAfterMs.slice(-count)];
    const firstMs = Math.max(usable[callsBefore % count] ?? 0, block.forMs);
    return { reason, waitMs: firstMs + Math.floor(callsBefore / count) * holdMs };
  };
  const waits = [
    wait('quota', limits.all, inUse, before.inLane + people),
    ...(lane === 'background' ? [wait('lane', limits.background, inLane, before.inLane)] : []),
    wait(
      'caller',
      limits.caller[lane],
      inLane.filter((slot) => slot.caller === caller),
      before.ofCaller,
    ),
  ];
  const longest = waits.reduce((one, other) => (other.waitMs > one.waitMs ? other : one));
  const isBlocked = longest.waitMs <= block.forMs || block.reason === 'unreachable';
  return isBlocked ? { ...longest, reason: block.reason } : longest;
}

/**
 * Counts the calls that get a slot before this call: `ofCaller` from the same caller, `inLane` in the
 * lane. Callers take turns, so each other caller gets at most `ofCaller + 1` slots.
 */
function countBefore({ lane, caller, call, waiting }: EstimateOptions) {
  const byCaller = Map.groupBy(
    waiting.filter((other) => other.lane === lane),
    (other) => other.caller,
  );
  const own = byCaller.get(caller) ?? [];
  const ofCaller = call ? Math.max(0, own.indexOf(call)) : own.length;
  let inLane = ofCaller;
  let isEarlier = true;
  for (const [name, calls] of byCaller) {
    if (name === caller) isEarlier = false;
    else inLane += Math.min(calls.length, isEarlier ? ofCaller + 1 : ofCaller);
  }
  return { ofCaller, inLane };
}
