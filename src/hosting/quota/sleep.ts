/** Longest delay that a timer takes; a longer one would fire at once. */
export const longestDelayMs = 2 ** 31 - 1;

/** Resolves after `ms`, or as soon as the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const timer = setTimeout(wake, Math.min(ms, longestDelayMs));
    signal.addEventListener('abort', wake, { once: true });

    function wake() {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    }
  });
}

/** Gives what `work` gives, or `otherwise` when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.resolve(otherwise), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
