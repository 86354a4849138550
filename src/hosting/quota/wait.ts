import { backgroundSlots, type Lane } from './lanes.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './slot-store.ts';

/** How full the slots of a key are. */
export interface Fullness {
  readonly limit: number;
  readonly backgroundShare: number;
  readonly held: readonly HeldSlot[];
  /** How long a call that leaves will hold its slot. */
  readonly holdMs: number;
  readonly nowMs: number;
  /** For how many ms nothing leaves, whatever is free. */
  readonly obstacleMs: number;
}

/** Reads how full the slots of a key are now. */
export async function readFullness(
  key: string,
  limit: number,
  store: SlotStore,
  { timing: { holdMs }, backgroundShare, now }: QuotaContext,
): Promise<Fullness> {
  const [held, obstacleMs] = await Promise.all([store.held(key), store.obstacleMs(key)]);
  return { limit, backgroundShare, held, holdMs, nowMs: now(), obstacleMs };
}

/**
 * Estimates for how many ms a call of a lane will wait for its slot, 0 when there is one: plays the line through, with
 * every call answered as soon as it leaves. `ahead` are the calls that wait already and go first.
 */
export function estimateWaitMs(
  lane: Lane,
  ahead: Readonly<Record<Lane, number>>,
  { limit, backgroundShare, held, holdMs, nowMs, obstacleMs }: Fullness,
): number {
  const earliestMs = nowMs + obstacleMs;
  const all = freeTimes(limit, held);
  const heldInLane = held.filter((slot) => slot.lane === 'background');
  const own = freeTimes(backgroundSlots(limit, backgroundShare), heldInLane);
  const isFreeNow = () => Math.max(Math.min(...all), Math.min(...own)) <= earliestMs;

  for (let count = 0; count < ahead.people; count += 1) take([all], earliestMs, holdMs);
  for (let count = 0; count < ahead.background; count += 1) {
    // A person overtakes them, but not those to whom a slot is being given.
    if (lane === 'background' || isFreeNow()) take([all, own], earliestMs, holdMs);
  }
  return take(lane === 'people' ? [all] : [all, own], earliestMs, holdMs) - nowMs;
}

/** Tells when each of `count` slots comes free. Where more are held (the quota was lowered), the first to end free none. */
function freeTimes(count: number, held: readonly HeldSlot[]): number[] {
  const releases = held.map((slot) => slot.releaseAtMs).sort((a, b) => a - b);
  const unused = new Array<number>(Math.max(0, count - releases.length)).fill(Number.NEGATIVE_INFINITY);
  return [...unused, ...releases.slice(-count)];
}

/** Takes, of each limiter, the slot that comes free first, and tells from when the call has them all. */
function take(limiters: readonly number[][], earliestMs: number, holdMs: number): number {
  const atMs = Math.max(earliestMs, ...limiters.map((times) => Math.min(...times)));
  for (const times of limiters) times[times.indexOf(Math.min(...times))] = atMs + holdMs;
  return atMs;
}
