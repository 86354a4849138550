import type { QuietWindow } from './recurrence.ts';
import { msAfterMidnight } from './time-of-day.ts';
import { weekdayOf } from './weekday.ts';

const dayMs = 86_400_000;

/** Gives when the quiet ends that a wall clock is in, as that clock will show it; `undefined` where it is in none. */
export function quietUntil(windows: readonly QuietWindow[], wallMs: number): number | undefined {
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
