import { createWallClock, writeDate, writeTime, writeWeekday } from './zoned-time.ts';

export interface TimeTick {
  readonly atMs: number;
  readonly label: string;
}

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const stepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720]
  .map((minutes) => minutes * minuteMs)
  .concat([1, 2, 7, 14, 28, 91, 182, 364, 1_820, 3_640].map((days) => days * dayMs));

/** Days are counted from a Monday, so that weeks begin with one. */
const mondayMs = 4 * dayMs;

/** Of longer times the steps grow with the time. */
const longestStepMs = 3_640 * dayMs;

/**
 * Chooses round times of a zone between two instants, at most `most` of them: minutes and hours within days, dates
 * beyond. An hour that a clock change skips is left out. Throws a RangeError if there is no such zone.
 */
export function timeTicks(
  fromMs: number,
  untilMs: number,
  { timeZone, most }: { readonly timeZone: string; readonly most: number },
): readonly TimeTick[] {
  const clock = createWallClock(timeZone);
  const spanMs = untilMs - fromMs;
  const stepMs =
    stepsMs.find((step) => spanMs / step <= most) ??
    longestStepMs * Math.ceil(spanMs / (most * longestStepMs));
  const originMs = stepMs < dayMs ? 0 : mondayMs;
  const ticks: TimeTick[] = [];
  // A clock change may move the first and the last tick by a few hours.
  const firstMs = clock.wallMsAt(fromMs) - originMs - dayMs / 8;
  const lastMs = clock.wallMsAt(untilMs) - originMs + dayMs / 8;
  for (let wall = Math.ceil(firstMs / stepMs) * stepMs; wall <= lastMs; wall += stepMs) {
    const wallMs = wall + originMs;
    const atMs = stepMs < dayMs ? clock.instantAt(wallMs) : clock.instantFrom(wallMs);
    if (atMs !== undefined && atMs >= fromMs && atMs <= untilMs) {
      ticks.push({ atMs, label: labelOf(wallMs, stepMs, spanMs) });
    }
  }
  return ticks;
}

function labelOf(wallMs: number, stepMs: number, spanMs: number): string {
  if (stepMs >= dayMs) return spanMs <= 14 * dayMs ? writeWeekday(wallMs) : writeDate(wallMs);
  return wallMs % dayMs === 0 && stepMs >= 30 * minuteMs ? writeWeekday(wallMs) : writeTime(wallMs);
}
