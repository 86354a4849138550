import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Pauses before a database that fails is tried again: what was done must not go unrecorded for a hiccup. */
const retryAfterMs = [100, 1_000, 5_000] as const;

/** Does what must not fail for a hiccup of the database: tries it again a few times, and throws what it fails with in the end. `what` is logged each time. */
export type Persistently = <T>(
  work: () => Promise<T>,
  about: { readonly runId: string; readonly what: string },
) => Promise<T>;

/** Lets so many ms pass. */
export type Pause = (ms: number) => Promise<unknown>;

/** Creates what tries again. */
export function createPersistently(log: Pick<Logger, 'error'>, pause: Pause = delay): Persistently {
  return async (work, { runId, what }) => {
    for (const pauseMs of retryAfterMs) {
      try {
        return await work();
      } catch (error) {
        log.error({ err: error, runId }, `${what}; it is tried again`);
        await pause(pauseMs);
      }
    }
    return work();
  };
}
