import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 60_000;
const maxPauseMs = 50;

/** Repeats an attempt until it succeeds, and returns its result. After 20 s, throws the last error. */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
    await sleep(pauseMs);
  }
}
