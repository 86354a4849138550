import type { Clock } from '../../../src/jobs/clock.ts';

export interface ManualClock extends Clock {
  /** Fires the timers until `untilMs`, one by one. `settle` waits until the work of each timer is idle. */
  advanceTo(untilMs: number, settle: () => Promise<void>): Promise<void>;
  /** Sets the clock like an operator would. Timers fire after the same delay as before. */
  jumpTo(atMs: number): void;
}

/** Returns a clock that only moves when a test advances it. */
export function createManualClock(startMs: number): ManualClock {
  const timers = new Set<{ atMs: number; readonly run: () => void }>();
  let nowMs = startMs;

  function nextUntil(untilMs: number) {
    let next: { atMs: number; readonly run: () => void } | undefined;
    for (const timer of timers)
      if (timer.atMs <= untilMs && timer.atMs < (next?.atMs ?? Infinity)) next = timer;
    return next;
  }

  return {
    now: () => nowMs,
    setTimer(atMs, run) {
      const timer = { atMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advanceTo(untilMs, settle) {
      await settle();
      for (let timer = nextUntil(untilMs); timer; timer = nextUntil(untilMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.atMs);
        timer.run();
        await settle();
      }
      nowMs = untilMs;
    },
    jumpTo(atMs) {
      for (const timer of timers) timer.atMs += atMs - nowMs;
      nowMs = atMs;
    },
  };
}
