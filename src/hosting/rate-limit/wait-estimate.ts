import type { CallsBefore } from './key-queue.ts';
import type { Lane, SlotLimits } from './lanes.ts';
import type { HeldSlot, KeyLoad, LimiterLogger, WaitReason } from './ledger/ledger.ts';

export interface WaitEstimate {
  readonly waitMs: number;
  readonly reason: WaitReason;
}

interface EstimateOptions {
  readonly lane: Lane;
  readonly line: string;
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
export function estimateWait({ lane, line, before, limits, load, holdMs }: EstimateOptions): WaitEstimate {
  const { heldSlots, blockedForMs, blockedReason } = load;
  const inBackground = heldSlots.filter((slot) => slot.lane === 'background');
  const inLine = heldSlots.filter((slot) => slot.lane === lane && slot.line === line);
  const all = createSlotGroup('quota', limits.all, heldSlots);
  const background = createSlotGroup('lane', limits.background, inBackground);
  const own = line === '' ? [] : [createSlotGroup('line', limits.line[lane], inLine)];
  const groups = lane === 'people' ? [all] : [all, background];
  const reserve = (in_: readonly SlotGroup[]) => reserveSlot(in_, blockedForMs, holdMs);
  const isFreeNow = () => Math.max(firstFree(all), firstFree(background)) <= blockedForMs;

  const others = { ...before.lane, [lane]: before.lane[lane] - before.line };
  for (let count = 0; count < others.people; count += 1) reserve([all]);
  for (let count = 0; count < others.background; count += 1) {
    // A person's call overtakes background calls, except for those that are getting a slot now.
    if (lane === 'background' || isFreeNow()) reserve([all, background]);
  }
  for (let count = 0; count < before.line; count += 1) reserve([...groups, ...own]);

  const waits = [...groups, ...own].map((group) => ({ waitMs: firstFree(group), reason: group.reason }));
  return [{ waitMs: blockedForMs, reason: blockedReason }, ...waits].reduce((longest, wait) =>
    wait.waitMs > longest.waitMs ? wait : longest,
  );
}

/**
 * Returns a function that reports the wait of a call to `onQueued`: once, and again if the estimate
 * has changed. A call that waits in several lines waits for the first of them.
 */
export function createWaitReport({
  onQueued,
  estimate,
  isWaiting,
  logger,
}: {
  readonly onQueued: ((waitMs: number, reason: WaitReason) => void) | undefined;
  /** Estimates the wait in each line. */
  readonly estimate: () => readonly Promise<WaitEstimate>[];
  readonly isWaiting: () => boolean;
  readonly logger: LimiterLogger;
}): (hasChanged: boolean) => Promise<void> {
  let isReported = false;
  return async (hasChanged) => {
    if (!onQueued || (isReported && !hasChanged)) return;
    isReported = true;
    try {
      const { waitMs, reason } = (await Promise.all(estimate())).reduce((best, one) =>
        one.waitMs < best.waitMs ? one : best,
      );
      if (waitMs > 0 && isWaiting()) onQueued(waitMs, reason);
      else isReported = false;
    } catch (error) {
      logger.warn({ error }, 'an estimate of the wait was not delivered');
    }
  };
}

/** If the quota was lowered, the earliest releases don't free a slot. */
function createSlotGroup(reason: WaitReason, count: number, held: readonly HeldSlot[]): SlotGroup {
  const releases = held.map(({ freeAfterMs }) => freeAfterMs).sort((a, b) => a - b);
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
