import type { Upcoming } from './report.ts';
import { createTimetable, latestUntil } from './timetable.ts';

/** A time is made up for until this part of the period after it has passed. */
const latePart = 1 / 4;

/** A time that was taken up as often, and never brought to its end, is passed over: it may be what ends the process. */
export const mostAttempts = 10;

/**
 * Gives the time that a report goes on with instead of one that has passed: the last of those that have, if that was less than a quarter of its period
 * ago, else the next (`null` where there is none); `undefined` where it goes on with the time itself. What may have been posted is never
 * passed over before somebody has looked.
 */
export function insteadOf(
  { report, dueMs, attempts, mayBePosted }: Upcoming,
  nowMs: number,
): number | null | undefined {
  const isWorn = attempts >= mostAttempts;
  if (!isWorn && (nowMs <= dueMs || mayBePosted)) return undefined;
  const timetable = createTimetable(report.recurrence);
  const nextAfter = (atMs: number) => timetable.after(atMs)?.atMs ?? null;
  if (isWorn) return nextAfter(dueMs);

  const latestMs = latestUntil(timetable, nowMs, dueMs);
  const nextMs = nextAfter(latestMs);
  const isTimely = nextMs === null || nowMs - latestMs < (nextMs - latestMs) * latePart;
  if (!isTimely) return nextMs;
  return latestMs === dueMs ? undefined : latestMs;
}
