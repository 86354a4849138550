/** Longest delay of a timer. Longer ones fire immediately. */
export const maxTimerDelayMs = 2 ** 31 - 1;

/**
 * Resolves after `ms` or when the signal aborts. Unlike `node:timers/promises`, it works under fake
 * timers.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const timer = setTimeout(wake, Math.min(ms, maxTimerDelayMs));
    signal.addEventListener('abort', wake, { once: true });

    function wake() {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    }
  });
}
