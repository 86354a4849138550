import { z } from 'zod';
import { dayMs } from '../../../time/units.ts';
import { msAfterMidnight, timeOfDay } from './time-of-day.ts';
import { weekdayList, weekdayOf } from './weekday.ts';

export const quietWindow = z.object({
  from: timeOfDay,
  /** The end of the window. If equal to `from`, the window ends a day later. */
  to: timeOfDay,
  /** The days on which the window begins. */
  days: weekdayList,
});

/** Hours of the week without posts. */
export type QuietWindow = Readonly<z.infer<typeof quietWindow>>;

/** Returns the end of the quiet hours that contain a wall-clock time, or undefined. */
export function quietHoursEndMs(windows: readonly QuietWindow[], wallMs: number): number | undefined {
  const midnightMs = Math.floor(wallMs / dayMs) * dayMs;
  const ends = windows.flatMap(({ from, to, days }) => {
    const [fromMs, toMs] = [msAfterMidnight(from), msAfterMidnight(to)];
    const lengthMs = toMs > fromMs ? toMs - fromMs : toMs - fromMs + dayMs;
    return [midnightMs - dayMs, midnightMs]
      .filter((beginMs) => days.includes(weekdayOf(beginMs)))
      .map((beginMs) => ({ fromMs: beginMs + fromMs, untilMs: beginMs + fromMs + lengthMs }))
      .filter(({ fromMs, untilMs }) => fromMs <= wallMs && wallMs < untilMs)
      .map(({ untilMs }) => untilMs);
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}
