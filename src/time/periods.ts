import { msAfterMidnight } from './time-of-day.ts';
import { createTimetable, shortestIntervalMs } from './timetable.ts';
import { dayMs, hourMs, minuteMs } from './units.ts';
import { createWallClock } from './wall-clock.ts';
import type { When } from './when.ts';

export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

export const minPeriodMs = 5 * minuteMs;
export const maxPeriodMs = 7 * dayMs;

/** How long periods must follow one another without a gap to count as endless. */
const endlessMs = maxPeriodMs + dayMs;

/** Yields the periods that end after `nowMs`, in order. Periods without a gap between them are merged. */
function* periodsAfter(when: When, nowMs: number): Generator<Period> {
  let joined: Period | undefined;
  for (const next of separatePeriods(when, nowMs - lookBackMs(when))) {
    if (joined && next.fromMs > joined.untilMs) {
      if (joined.untilMs > nowMs) yield joined;
      joined = undefined;
    }
    joined = joined ? { ...joined, untilMs: Math.max(joined.untilMs, next.untilMs) } : next;
    if (joined.untilMs > nowMs && joined.untilMs - joined.fromMs >= endlessMs) break;
  }
  if (joined && joined.untilMs > nowMs) yield joined;
}

function* separatePeriods(when: When, afterMs: number): Generator<Period> {
  const timetable = createTimetable(when);
  const { firstMsAt } = createWallClock(when.zone);
  for (let next = timetable.after(afterMs); next; next = timetable.after(next.atMs)) {
    const { atMs: fromMs, wallMs } = next;
    const lengthMs = nominalLengthMs(when, wallMs);
    const untilMs = when.ends && 'at' in when.ends ? firstMsAt(wallMs + lengthMs) : fromMs + lengthMs;
    // If a clock change skips the whole period, the period keeps its length.
    yield { fromMs, untilMs: untilMs > fromMs ? untilMs : fromMs + lengthMs };
  }
}

function nominalLengthMs({ ends }: When, wallMs: number): number {
  if (!ends) return 0;
  if ('afterMs' in ends) return ends.afterMs;
  return (msAfterMidnight(ends.at) - (wallMs % dayMs) + dayMs) % dayMs || dayMs;
}

/** Returns how far to look back for the first period merged with the current one. */
function lookBackMs(when: When): number {
  const lengthMs = when.ends && 'afterMs' in when.ends ? when.ends.afterMs : dayMs;
  // If there is a gap between the times, a clock change can merge at most two periods.
  return lengthMs < (shortestIntervalMs(when) ?? Number.POSITIVE_INFINITY)
    ? 2 * lengthMs + 3 * hourMs
    : endlessMs + dayMs;
}

/** Returns the period that contains `nowMs`, or undefined if there is none. */
export function currentPeriod(when: When, nowMs: number): Period | undefined {
  for (const period of periodsAfter(when, nowMs)) return period.fromMs <= nowMs ? period : undefined;
  return undefined;
}

/** Returns the first period after `nowMs`, or undefined if there is none. */
export function nextPeriod(when: When, nowMs: number): Period | undefined {
  for (const period of periodsAfter(when, nowMs)) if (period.fromMs > nowMs) return period;
  return undefined;
}

/** Returns whether the periods never end, because there are no gaps between them. */
export function neverEnds(when: When, nowMs: number): boolean {
  for (const { fromMs, untilMs } of periodsAfter(when, nowMs)) return untilMs - fromMs >= endlessMs;
  return false;
}
