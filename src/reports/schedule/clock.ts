/** What tells the time and wakes; tests bring one that they move by hand. */
export interface Clock {
  now(): number;
  /** Runs something once, at a moment or as soon as it has passed; gives what calls it off. */
  setTimer(atMs: number, run: () => void): () => void;
}

/** Longest delay that Node.js takes; a longer one would be none. */
const longestDelayMs = 2 ** 31 - 1;

/** Creates the clock of this machine. Its timers do not keep the process alive, and one that is far off may come early. */
export function createSystemClock(): Clock {
  return {
    now: Date.now,
    setTimer(atMs, run) {
      const delayMs = Math.min(Math.max(0, atMs - Date.now()), longestDelayMs);
      const timer = setTimeout(run, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}

/** Waits until a moment, which may have passed; rejects with the signal's reason when that aborts. */
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
