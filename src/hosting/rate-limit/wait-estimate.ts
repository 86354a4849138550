import { type Lane, toBackgroundLimit } from './lanes.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './stores/slot-store.ts';

/** Which slots of a key are in use, and for how long. */
export interface QuotaLoad {
  readonly limit: number;
  readonly backgroundShare: number;
  readonly heldSlots: readonly HeldSlot[];
  /** How long a call holds its slot after its response. */
  readonly holdMs: number;
  readonly nowMs: number;
  /** How long a call holds its slot after its response. */
  readonly blockedForMs: number;
}

/** Loads which slots of a key are currently in use. */
export async function loadQuotaLoad(
  fingerprint: string,
  limit: number,
  store: SlotStore,
  { timing: { holdMs }, backgroundShare, now }: QuotaContext,
): Promise<QuotaLoad> {
  const [heldSlots, blockedForMs] = await Promise.all([
    store.listHeldSlots(fingerprint),
    store.blockedForMs(fingerprint),
  ]);
  return { limit, backgroundShare, heldSlots, holdMs, nowMs: now(), blockedForMs };
}

/**
 * Estimates how many ms a call of a lane waits for its slot; 0 if one is free. Simulates the queue
 * as if every call were answered immediately. `ahead` counts the waiting calls that are served
 * first.
 */
export function estimateWaitMs(
  lane: Lane,
  ahead: Readonly<Record<Lane, number>>,
  { limit, backgroundShare, heldSlots, holdMs, nowMs, blockedForMs }: QuotaLoad,
): number {
  const earliestMs = nowMs + blockedForMs;
  const all = listFreeTimes(limit, heldSlots);
  const heldInLane = heldSlots.filter((slot) => slot.lane === 'background');
  const background = listFreeTimes(toBackgroundLimit(limit, backgroundShare), heldInLane);
  const isFreeNow = () => Math.max(Math.min(...all), Math.min(...background)) <= earliestMs;

  for (let count = 0; count < ahead.people; count += 1) reserveEarliestSlot([all], earliestMs, holdMs);
  for (let count = 0; count < ahead.background; count += 1) {
    // A person's call overtakes background calls, except for those that are getting a slot now.
    if (lane === 'background' || isFreeNow()) reserveEarliestSlot([all, background], earliestMs, holdMs);
  }
  return reserveEarliestSlot(lane === 'people' ? [all] : [all, background], earliestMs, holdMs) - nowMs;
}

/**
 * Lists when each of `count` slots becomes free. If the quota was lowered, the earliest releases
 * don't free a slot.
 */
function listFreeTimes(count: number, held: readonly HeldSlot[]): number[] {
  const releases = held.map((slot) => slot.releaseAtMs).sort((a, b) => a - b);
  const unused = new Array<number>(Math.max(0, count - releases.length)).fill(Number.NEGATIVE_INFINITY);
  return [...unused, ...releases.slice(-count)];
}

/** Reserves the earliest slot of each limiter. Returns when the call has all of them. */
function reserveEarliestSlot(limiters: readonly number[][], earliestMs: number, holdMs: number): number {
  const atMs = Math.max(earliestMs, ...limiters.map((times) => Math.min(...times)));
  for (const times of limiters) times[times.indexOf(Math.min(...times))] = atMs + holdMs;
  return atMs;
}
