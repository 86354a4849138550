import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Pauses before a database that fails is tried again: what was done must not go unrecorded for a hiccup. */
const retryAfterMs = [100, 1_000, 5_000] as const;

/** Does what must not fail for a hiccup of the database: tries it again a few times, and throws what it fails with in the end. `what` is logged each time. */
export async function persistently<T>(
  work: () => Promise<T>,
  {
    log,
    runId,
    what,
  }: { readonly log: Pick<Logger, 'error'>; readonly runId: string; readonly what: string },
): Promise<T> {
  for (const pauseMs of retryAfterMs) {
    try {
      return await work();
    } catch (error) {
      log.error({ err: error, runId }, `${what}; it is tried again`);
      await delay(pauseMs);
    }
  }
  return work();
}
