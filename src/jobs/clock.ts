/** Source of time and timers. Tests pass a clock that they advance by hand. */
export interface Clock {
  now(): number;
  /**
   * Calls `run` once at the given time, or immediately if it has passed. Returns a function that
   * cancels the timer.
   */
  setTimer(atMs: number, run: () => void): () => void;
}

/** Longest timeout of Node.js, which fires longer ones immediately. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Returns the clock of this machine. Its timers don't keep the process alive. A timer further away
 * than `maxDelayMs` fires early.
 */
export function createSystemClock(): Clock {
  return {
    now: Date.now,
    setTimer(atMs, run) {
      const delayMs = Math.min(Math.max(0, atMs - Date.now()), maxDelayMs);
      const timer = setTimeout(run, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}

/** Waits until the given time, which can be past. When the signal aborts, rejects with its reason. */
export function waitUntil(clock: Clock, atMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const look = () => {
      if (clock.now() < atMs) {
        cancel = clock.setTimer(atMs, look);
        return;
      }
      signal.removeEventListener('abort', stop);
      resolve();
    };
    let cancel = () => {};
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    look();
  });
}
