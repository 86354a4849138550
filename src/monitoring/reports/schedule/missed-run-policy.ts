import { createTimetable, lastTimeUntil } from '../../../time/timetable.ts';
import type { When } from '../../../time/when.ts';

/** A missed occurrence is caught up until this share of the time to the next one has passed. */
const catchUpShare = 1 / 4;

/**
 * An occurrence that was claimed this often without a result is skipped, because it may kill the
 * process.
 */
const maxAttempts = 10;

/** How many of these attempts can be clean failures, which leave the process alive. */
export const maxFailures = 7;

/** Returns the time until which a missed occurrence is caught up. */
export function catchUpUntil(dueMs: number, nextMs: number | null): number {
  return nextMs === null ? Number.POSITIVE_INFINITY : dueMs + (nextMs - dueMs) * catchUpShare;
}

/**
 * Returns which occurrence to continue with:
 * - undefined: this one. It is on time or can still be caught up.
 * - a time: a later one. It is the last one missed, if less than a quarter of its period has
 * passed, or else the next one.
 * - `null`: none is left.
 */
export function rescheduleMissed(
  timing: When,
  dueMs: number,
  nowMs: number,
  attempt: number,
): number | null | undefined {
  const isWorn = attempt > maxAttempts;
  if (!isWorn && nowMs <= dueMs) return undefined;
  const timetable = createTimetable(timing);
  const nextAfter = (atMs: number) => timetable.after(atMs)?.atMs ?? null;
  if (isWorn) return nextAfter(dueMs);

  const latestMs = lastTimeUntil(timetable, nowMs, dueMs);
  const nextMs = nextAfter(latestMs);
  if (nowMs >= catchUpUntil(latestMs, nextMs)) return nextMs;
  return latestMs === dueMs ? undefined : latestMs;
}
