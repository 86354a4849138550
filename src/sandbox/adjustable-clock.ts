import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../jobs/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that runs like the machine's, and can be advanced. */
export interface AdjustableClock extends Clock {
  /** Advances the clock, and runs everything that becomes due on the way, in order. Resolves when that is done. */
  advance(ms: number): Promise<void>;
}

/** How far the clock advances per step. Shorter than a lease, so running jobs can renew theirs. */
const stepMs = 10_000;

/** Real time between two steps. Advancing by a day takes about half a minute. */
const pauseMs = 2;

/** Creates a clock that people advance in the sandbox. */
export function createAdjustableClock(base: Clock): AdjustableClock {
  const timers = new Set<Timer>();
  let offsetMs = 0;
  let cancelNext = () => {};
  let advancing = Promise.resolve();
  const now = () => base.now() + offsetMs;

  const findNext = () => [...timers].sort((one, other) => one.atMs - other.atMs)[0];

  /** Runs the timers that are due, and waits for the next one. */
  function runDue(): void {
    cancelNext();
    for (let next = findNext(); next && next.atMs <= now(); next = findNext()) {
      timers.delete(next);
      next.run();
    }
    const next = findNext();
    cancelNext = next ? base.setTimer(next.atMs - offsetMs, runDue) : () => {};
  }

  async function advanceInSteps(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      offsetMs += Math.min(stepMs, leftMs);
      runDue();
      await delay(pauseMs, undefined, { ref: false });
    }
  }

  return {
    now,
    setTimer(atMs, run) {
      const timer = { atMs, run };
      timers.add(timer);
      cancelNext();
      const next = findNext();
      cancelNext = next ? base.setTimer(next.atMs - offsetMs, runDue) : () => {};
      return () => void timers.delete(timer);
    },
    advance(ms) {
      advancing = advancing.then(() => advanceInSteps(ms));
      return advancing;
    },
  };
}
