/** Who a call is for: somebody who waits for its answer, or a report or poll that can wait. */
export type Lane = 'people' | 'background';

/** Bottleneck's most urgent priority, for the slots that calls of before a restart still hold. */
export const rememberedPriority = 0;

/**
 * Tells Bottleneck's priority of a call: people before background, and within a lane what gave its slot back
 * unused before what is new.
 */
export function priorityOf(lane: Lane, returning: boolean): number {
  if (lane === 'people') return returning ? 1 : 2;
  return returning ? 3 : 4;
}

/** Counts the slots of a quota that the background lane may fill: its share, rounded down, and at least one. */
export function backgroundSlots(limit: number, backgroundShare: number): number {
  return Math.max(1, Math.floor(limit * backgroundShare));
}

/** Tells something of each lane. */
export function forEachLane<T>(tell: (lane: Lane) => T): Record<Lane, T> {
  return { people: tell('people'), background: tell('background') };
}
