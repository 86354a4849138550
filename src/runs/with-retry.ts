import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Delay before each retry. A short database failure must not leave a finished call unrecorded. */
const retryDelaysMs = [100, 1_000, 5_000] as const;

/**
 * Retries work that must survive a short database failure. Throws the last error. `failure` says in
 * the log which work failed.
 */
export type WithRetry = <T>(
  work: () => Promise<T>,
  about: { readonly runId: string; readonly failure: string },
) => Promise<T>;

export type Delay = (ms: number) => Promise<unknown>;

export function createRetrier(log: Pick<Logger, 'error'>, pause: Delay = delay): WithRetry {
  return async (work, { runId, failure }) => {
    for (const pauseMs of retryDelaysMs) {
      try {
        return await work();
      } catch (error) {
        log.error({ err: error, runId }, `${failure}; retrying`);
        await pause(pauseMs);
      }
    }
    return work();
  };
}
