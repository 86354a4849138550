/** `people`: somebody is waiting for the result. `background`: reports and polls, which can wait. */
export type Lane = 'people' | 'background';

/** Bottleneck's most urgent priority. Used for slots that calls from before a restart still hold. */
export const restoredPriority = 0;

/**
 * Returns a call's Bottleneck priority: people before background. Within a lane, retries come
 * before new calls.
 */
export function toPriority(lane: Lane, isRetry: boolean): number {
  if (lane === 'people') return isRetry ? 1 : 2;
  return isRetry ? 3 : 4;
}

/**
 * Returns how many slots the background lane can use: its share of the quota, rounded down, but at
 * least one.
 */
export function toBackgroundLimit(limit: number, backgroundShare: number): number {
  return Math.max(1, Math.floor(limit * backgroundShare));
}

/** Builds a record with one value for each lane. */
export function mapLanes<T>(map: (lane: Lane) => T): Record<Lane, T> {
  return { people: map('people'), background: map('background') };
}
