import { type Clock, createSystemClock } from '../../../src/jobs/clock.ts';

/** Returns the system clock shifted into the future, or into the past if the shift is negative. */
export function createShiftedClock(shiftMs: number): Clock {
  const system = createSystemClock();
  return {
    now: () => system.now() + shiftMs,
    setTimer: (atMs, run) => system.setTimer(atMs - shiftMs, run),
  };
}

/**
 * A Wednesday at noon in Berlin. The sandbox's load depends on the weekday, the hour and the
 * fortnight. At this time, exactly two VPS of its fleet have findings.
 */
export const quietWednesdayMs = Date.parse('2026-11-25T11:07:00Z');

/** Returns a clock that starts at `quietWednesdayMs` and runs at normal speed. */
export function createQuietWednesdayClock(): Clock {
  return createShiftedClock(quietWednesdayMs - Date.now());
}
