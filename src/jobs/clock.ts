/** Source of time and timers. Tests pass a clock that they advance by hand. */
export interface Clock {
  now(): number;
  /**
   * Calls `run` once at the given time, or immediately if that time has passed. Returns a function that cancels
   * the timer.
   */
  setTimer(atMs: number, run: () => void): () => void;
}

/** Longest timeout that Node.js supports. Longer ones fire immediately. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Returns this machine's clock. Its timers don't keep the process alive. A timer further away than
 * `maxDelayMs` fires early.
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

/** Waits for `ms`, even if the clock is changed in the meantime. If the signal aborts, rejects with its reason. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.setTimer(clock.now() + ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Waits until the given time, unless it has passed. If the signal aborts, rejects with its reason. */
export async function waitUntil(clock: Clock, atMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for (let nowMs = clock.now(); nowMs < atMs; nowMs = clock.now()) await waitFor(clock, atMs - nowMs, signal);
}
