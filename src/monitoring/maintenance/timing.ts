import { z } from 'zod';
import { dayMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import { msAfterMidnight, timeOfDay } from '../shared/time/time-of-day.ts';
import { weekdayList, weekdayOf } from '../shared/time/weekday.ts';
import type { Period } from '../shared/time-series.ts';

/** The times of a maintenance window: once, or on days of the week in a time zone. */
export const timing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), fromMs: z.number(), untilMs: z.number(), zone: z.string() }),
  z.object({
    kind: z.literal('weekly'),
    /** The days on which an occurrence begins. */
    days: weekdayList,
    from: timeOfDay,
    /** If it isn't after `from`, the window ends on the next day. */
    to: timeOfDay,
    zone: z.string(),
  }),
]);

export type Timing = Readonly<z.infer<typeof timing>>;

/** The longest window, and how far ahead the next occurrence is searched for. */
export const maxLengthMs = 7 * dayMs;

/**
 * Returns the occurrences of a window that end after `nowMs`, in order, up to a week ahead.
 * Occurrences without a gap between them are joined.
 */
export function listOccurrences(timing: Timing, nowMs: number): readonly Period[] {
  if (timing.kind === 'once') {
    const { fromMs, untilMs } = timing;
    return untilMs > nowMs ? [{ fromMs, untilMs }] : [];
  }
  const { wallMsAt, firstMsAt } = createWallClock(timing.zone);
  const [fromOfDayMs, toOfDayMs] = [msAfterMidnight(timing.from), msAfterMidnight(timing.to)];
  const lengthMs = toOfDayMs > fromOfDayMs ? toOfDayMs - fromOfDayMs : toOfDayMs - fromOfDayMs + dayMs;
  const todayMs = Math.floor(wallMsAt(nowMs) / dayMs) * dayMs;
  // Starts a week ago, because joined occurrences can have begun then.
  const midnights = Array.from({ length: 17 }, (_, index) => todayMs + (index - 8) * dayMs);
  const occurrences = midnights
    .filter((midnightMs) => timing.days.includes(weekdayOf(midnightMs)))
    .map((midnightMs): Period => {
      const fromMs = firstMsAt(midnightMs + fromOfDayMs);
      const untilMs = firstMsAt(midnightMs + fromOfDayMs + lengthMs);
      // If a clock change skips the whole window, the window keeps its length.
      return { fromMs, untilMs: untilMs > fromMs ? untilMs : fromMs + lengthMs };
    });
  return joinTouching(occurrences).filter(({ untilMs }) => untilMs > nowMs);
}

function joinTouching(occurrences: readonly Period[]): readonly Period[] {
  const joined: Period[] = [];
  for (const next of occurrences) {
    const last = joined.at(-1);
    if (!last || next.fromMs > last.untilMs) joined.push(next);
    else joined[joined.length - 1] = { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, next.untilMs) };
  }
  return joined;
}

/**
 * Returns the occurrence at `nowMs`, or undefined. An occurrence that had begun by `endedMs` was
 * ended by a person and doesn't count.
 */
export function currentOccurrence(
  timing: Timing,
  nowMs: number,
  endedMs: number | null = null,
): Period | undefined {
  return listOccurrences(timing, nowMs).find(
    ({ fromMs }) => fromMs <= nowMs && (endedMs === null || fromMs > endedMs),
  );
}

/** Returns the first occurrence after `nowMs`. */
export function nextOccurrence(timing: Timing, nowMs: number): Period | undefined {
  return listOccurrences(timing, nowMs).find(({ fromMs }) => fromMs > nowMs);
}

/**
 * Returns whether a recurring window never ends, because there are no gaps between its occurrences.
 */
export function neverEnds(timing: Timing, nowMs: number): boolean {
  return listOccurrences(timing, nowMs).some(
    ({ fromMs, untilMs }) => untilMs - fromMs >= maxLengthMs + dayMs,
  );
}
