import { setTimeout as sleep } from 'node:timers/promises';

interface EventuallyOptions {
  readonly timeoutMs?: number;
  /**
   * Longest pause between two attempts. The first pause is short, and each following one is twice
   * as long.
   */
  readonly intervalMs?: number;
}

/** Repeats an attempt until it succeeds, and returns its result. After the timeout, throws the last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 50 }: EventuallyOptions = {},
): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (let pauseMs = Math.min(5, intervalMs); ; pauseMs = Math.min(2 * pauseMs, intervalMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
    await sleep(pauseMs);
  }
}
