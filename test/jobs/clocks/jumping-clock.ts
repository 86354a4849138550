import { type Clock, createSystemClock } from '../../../src/jobs/clock.ts';

export interface JumpingClock extends Clock {
  /** Sets the clock forward, and fires the timers that become due. */
  jump(ms: number): void;
}

/** Returns the system clock, which a test can set forward. */
export function createJumpingClock(): JumpingClock {
  const system = createSystemClock();
  const timers = new Set<{ readonly atMs: number; readonly fire: () => void; cancel: () => void }>();
  let shiftMs = 0;
  return {
    now: () => system.now() + shiftMs,
    setTimer(atMs, run) {
      const fire = () => {
        timers.delete(timer);
        run();
      };
      const timer = { atMs, fire, cancel: system.setTimer(atMs - shiftMs, fire) };
      timers.add(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    jump(ms) {
      shiftMs += ms;
      for (const timer of timers) {
        timer.cancel();
        timer.cancel = system.setTimer(timer.atMs - shiftMs, timer.fire);
      }
    },
  };
}
