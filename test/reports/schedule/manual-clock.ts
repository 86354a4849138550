import type { Clock } from '../../../src/reports/schedule/clock.ts';

export interface ManualClock extends Clock {
  /** Moves on from timer to timer; `settle` resolves when what a timer began waits for the next. */
  advanceTo(untilMs: number, settle: () => Promise<void>): Promise<void>;
}

/** Creates a clock that stands still until it is moved. */
export function createManualClock(startMs: number): ManualClock {
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  let nowMs = startMs;

  function nextUntil(untilMs: number) {
    let next: { readonly atMs: number; readonly run: () => void } | undefined;
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
  };
}
