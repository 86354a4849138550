import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../db/engines/database.ts';

/** Delay before each retry. A short database failure must not leave a finished call unrecorded. */
const retryDelaysMs = [100, 1_000, 5_000] as const;

/**
 * Retries work that must survive a database failure. While the database is unavailable, retries until this process
 * stops. After other errors, retries three times and then throws the last one. `failure` describes the work in the
 * log.
 */
export type WithRetry = <T>(
  work: () => Promise<T>,
  about: { readonly runId: string; readonly failure: string },
) => Promise<T>;

export type Delay = (ms: number) => Promise<unknown>;

export interface Retrier {
  readonly withRetry: WithRetry;
  /** Ends all pauses before retries. Work that fails from then on isn't retried. */
  stop(): void;
}

export function createRetrier(log: Pick<Logger, 'error'>, pause: Delay = delay): Retrier {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let isStopped = false;

  async function withRetry<T>(
    work: () => Promise<T>,
    { runId, failure }: { readonly runId: string; readonly failure: string },
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isLast = attempt >= retryDelaysMs.length && !isDatabaseAway(error);
        if (isLast || isStopped) throw error;
        log.error({ err: error, runId }, `${failure}; retrying`);
        await Promise.race([pause(retryDelaysMs[attempt] ?? retryDelaysMs[2]), stopped]);
      }
    }
  }

  return {
    withRetry,
    stop() {
      isStopped = true;
      stop();
    },
  };
}
