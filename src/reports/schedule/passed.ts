import type { Upcoming } from './report.ts';
import { createTimetable, latestUntil } from './timetable.ts';

/** A time is made up for until this part of the period after it has passed. */
const latePart = 1 / 4;

/** A time that was taken up as often, and never brought to its end, is passed over: it may be what ends the process. */
const mostAttempts = 10;

/** Of these attempts so many may be ones that failed and were given back: they end no process. */
export const mostFailures = 7;

/** Gives until when a time is made up for that is followed by another, or by none. */
export function madeUpUntil(dueMs: number, nextMs: number | null): number {
  return nextMs === null ? Number.POSITIVE_INFINITY : dueMs + (nextMs - dueMs) * latePart;
}

/**
 * Gives the time that a report goes on with instead of one that has passed: the last of those that have, if that was less than a quarter of its period
 * ago, else the next (`null` where there is none); `undefined` where it goes on with the time itself. What may have been posted is never
 * passed over before somebody has looked.
 */
export function insteadOf(
  { report, dueMs, attempts, postingMs }: Upcoming,
  nowMs: number,
): number | null | undefined {
  const isWorn = attempts >= mostAttempts;
  if (!isWorn && (nowMs <= dueMs || postingMs !== null)) return undefined;
  const timetable = createTimetable(report.recurrence);
  const nextAfter = (atMs: number) => timetable.after(atMs)?.atMs ?? null;
  if (isWorn) return nextAfter(dueMs);

  const latestMs = latestUntil(timetable, nowMs, dueMs);
  const nextMs = nextAfter(latestMs);
  if (nowMs >= madeUpUntil(latestMs, nextMs)) return nextMs;
  return latestMs === dueMs ? undefined : latestMs;
}
