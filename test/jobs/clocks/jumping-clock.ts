import { type Clock, createSystemClock } from '../../../src/jobs/clock.ts';

export interface JumpingClock extends Clock {
  /** Sets the clock forward, and fires the timers that become due. */
  jump(ms: number): void;
}

/** Returns the system clock, shifted into the future or the past, which a test can set forward. */
export function createJumpingClock(shiftMs = 0): JumpingClock {
  const system = createSystemClock();
  const timers = new Set<{ readonly atMs: number; readonly fire: () => void; cancel: () => void }>();
  let aheadMs = shiftMs;
  return {
    now: () => system.now() + aheadMs,
    setTimer(atMs, run) {
      const fire = () => {
        timers.delete(timer);
        run();
      };
      const timer = { atMs, fire, cancel: system.setTimer(atMs - aheadMs, fire) };
      timers.add(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    jump(ms) {
      aheadMs += ms;
      for (const timer of timers) {
        timer.cancel();
        timer.cancel = system.setTimer(timer.atMs - aheadMs, timer.fire);
      }
    },
  };
}

/**
 * A Wednesday at noon in Berlin. The sandbox's load depends on the weekday, the hour and the
 * fortnight. At this time, exactly two VPS of its fleet have findings.
 */
export const quietWednesdayMs = Date.parse('2026-11-25T11:07:00Z');

/** Returns a clock that starts at `quietWednesdayMs` and runs at normal speed. */
export const createQuietWednesdayClock = () => createJumpingClock(quietWednesdayMs - Date.now());
