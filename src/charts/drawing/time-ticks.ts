import { formatDate, formatTime, formatWeekday } from '../../time/format-wall-time.ts';
import { dayMs, minuteMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';

export interface TimeTick {
  readonly atMs: number;
  readonly label: string;
}

const stepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720]
  .map((minutes) => minutes * minuteMs)
  .concat([1, 2, 7, 14, 28, 91, 182, 364, 1_820, 3_640].map((days) => days * dayMs));

/** Days are counted from a Monday, so weeks begin on Mondays. */
const mondayMs = 4 * dayMs;

/** The largest fixed step. Longer spans use multiples of it. */
const maxStepMs = 3_640 * dayMs;

/**
 * Returns at most `maxTicks` round local times between two instants: minutes and hours for short spans, dates
 * for long ones. Skips an hour that a clock change skips. Throws a RangeError for an unknown time zone.
 */
export function buildTimeTicks(
  fromMs: number,
  untilMs: number,
  { timeZone, maxTicks }: { readonly timeZone: string; readonly maxTicks: number },
): readonly TimeTick[] {
  const clock = createWallClock(timeZone);
  const spanMs = untilMs - fromMs;
  const stepMs =
    stepsMs.find((step) => spanMs / step <= maxTicks) ??
    maxStepMs * Math.ceil(spanMs / (maxTicks * maxStepMs));
  const originMs = stepMs < dayMs ? 0 : mondayMs;
  const ticks: TimeTick[] = [];
  // Searches a few hours further on both sides, because a clock change can move the first and last ticks.
  const firstMs = clock.wallMsAt(fromMs) - originMs - dayMs / 8;
  const lastMs = clock.wallMsAt(untilMs) - originMs + dayMs / 8;
  for (let wall = Math.ceil(firstMs / stepMs) * stepMs; wall <= lastMs; wall += stepMs) {
    const wallMs = wall + originMs;
    const atMs = stepMs < dayMs ? clock.instantAt(wallMs) : clock.firstMsAt(wallMs);
    if (atMs !== undefined && atMs >= fromMs && atMs <= untilMs) {
      ticks.push({ atMs, label: formatTickLabel(wallMs, stepMs, spanMs) });
    }
  }
  return ticks;
}

function formatTickLabel(wallMs: number, stepMs: number, spanMs: number): string {
  if (stepMs >= dayMs) return spanMs <= 14 * dayMs ? formatWeekday(wallMs) : formatDate(wallMs);
  return wallMs % dayMs === 0 && stepMs >= 30 * minuteMs ? formatWeekday(wallMs) : formatTime(wallMs);
}
