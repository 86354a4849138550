import type { QuotaUsage } from '../hosting/quota/quota.ts';

/** How fast the calls of the background lane leave. */
export type Pace = Pick<QuotaUsage, 'backgroundLimit' | 'holdMs'>;

const minuteMs = 60_000;

/** What a round of the quota takes beyond its hold, as a part of that: the calls themselves, and people who go first. */
const roundMargin = 1 / 60;

/** What a report takes beyond its calls: to be drawn, and brought to Slack, which has to look at a picture first. */
const makingMs = 15_000;

/** Estimates how long so many calls take to leave and be answered. */
export function callingMs(calls: number, { backgroundLimit, holdMs }: Pace): number {
  return Math.ceil(calls / backgroundLimit) * holdMs * (1 + roundMargin);
}

/** Estimates how long a report takes that needs so many calls. */
export function collectingMs(calls: number, pace: Pace): number {
  return callingMs(calls, pace) + makingMs;
}

/** Gives how many calls may leave in a minute, as long as there are more. */
export function callsPerMinute({ backgroundLimit, holdMs }: Pace): number {
  return (backgroundLimit * minuteMs) / (holdMs * (1 + roundMargin));
}

/** Gives the pace that is left for reports beside others in the same lane that make so many calls a minute, such as watches. */
export function besideOthers(pace: Pace, othersPerMinute: number): Pace {
  const { backgroundLimit, holdMs } = pace;
  const left = Math.floor(backgroundLimit - (othersPerMinute * holdMs) / minuteMs);
  return { holdMs, backgroundLimit: Math.max(1, left) };
}
