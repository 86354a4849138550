import type { Lane, SlotLimits } from './lanes.ts';
import type { KeyLoad, SlotInUse } from './slots.ts';
import type { WaitReason } from './waiting-call.ts';

export interface WaitEstimate {
  readonly waitMs: number;
  readonly reason: WaitReason;
}

/** The calls of this process that get a slot earlier. */
export interface CallsBefore {
  readonly lane: Readonly<Record<Lane, number>>;
  /** The number of these calls that are by the same caller. */
  readonly caller: number;
}

interface EstimateOptions {
  readonly lane: Lane;
  readonly caller: string;
  readonly before: CallsBefore;
  readonly limits: SlotLimits;
  readonly load: KeyLoad;
  /** How long a call holds its slot after its response. */
  readonly holdMs: number;
}

/** When each slot of a limited group becomes free. */
interface SlotGroup {
  readonly reason: WaitReason;
  readonly freeAfterMs: number[];
}

/**
 * Estimates how many ms a call waits for its slot; 0 if one is free. Simulates the queue as if every
 * call were answered immediately.
 */
export function estimateWait({ lane, caller, before, limits, load, holdMs }: EstimateOptions): WaitEstimate {
  const inUse = [...load.slots.values()];
  const inLane = inUse.filter((slot) => slot.lane === lane);
  const blockedForMs = load.block?.forMs ?? 0;
  const all = createSlotGroup('quota', limits.all, inUse);
  const background = createSlotGroup(
    'lane',
    limits.background,
    inUse.filter((slot) => slot.lane === 'background'),
  );
  const own = createSlotGroup(
    'caller',
    limits.caller[lane],
    inLane.filter((slot) => slot.caller === caller),
  );
  const groups = lane === 'people' ? [all] : [all, background];
  const reserve = (in_: readonly SlotGroup[]) => reserveSlot(in_, blockedForMs, holdMs);
  const isFreeNow = () => Math.max(firstFree(all), firstFree(background)) <= blockedForMs;

  const others = { ...before.lane, [lane]: before.lane[lane] - before.caller };
  for (let count = 0; count < others.people; count += 1) reserve([all]);
  for (let count = 0; count < others.background; count += 1) {
    // A person's call overtakes background calls, except for those that are getting a slot now.
    if (lane === 'background' || isFreeNow()) reserve([all, background]);
  }
  for (let count = 0; count < before.caller; count += 1) reserve([...groups, own]);

  const waits = [...groups, own].map((group) => ({ waitMs: firstFree(group), reason: group.reason }));
  const blocked = { waitMs: blockedForMs, reason: load.block?.reason ?? ('quota' as const) };
  const longest = [blocked, ...waits].reduce((one, other) => (other.waitMs > one.waitMs ? other : one));
  // While it isn't known what is in use, nothing else matters.
  const isUnknown = load.block !== undefined && load.block.reason !== 'pause';
  return isUnknown ? { ...longest, reason: blocked.reason } : longest;
}

/** If the quota was lowered, the earliest releases don't free a slot. */
function createSlotGroup(reason: WaitReason, count: number, inUse: readonly SlotInUse[]): SlotGroup {
  const releases = inUse.map(({ freeAfterMs }) => freeAfterMs).sort((a, b) => a - b);
  const unused = new Array<number>(Math.max(0, count - releases.length)).fill(0);
  return { reason, freeAfterMs: [...unused, ...releases.slice(-count)] };
}

function firstFree({ freeAfterMs }: SlotGroup): number {
  return Math.min(...freeAfterMs);
}

/** Reserves the earliest slot that is free in each group. */
function reserveSlot(groups: readonly SlotGroup[], earliestMs: number, holdMs: number) {
  const atMs = Math.max(earliestMs, ...groups.map(firstFree));
  for (const group of groups) group.freeAfterMs[group.freeAfterMs.indexOf(firstFree(group))] = atMs + holdMs;
}
