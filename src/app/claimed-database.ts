import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import { type OpenDatabase, openDatabase } from '../db/engines/database.ts';
import { RackhandError } from '../errors.ts';
import { createHealthRoutes } from '../http/health.ts';
import type { Metrics } from '../http/metrics.ts';
import { createHttpServer } from '../http/server.ts';
import { toStopGraceMs } from './stop.ts';

/** How long the platform can take to stop the old process after starting a new one. */
const deployMarginMs = 10_000;

const retryMs = 500;

/**
 * Opens the database. Only one process at a time can use an SQLite file, so during a deploy, the new
 * process waits for the old process to stop. Throws `database_claimed` if the old process doesn't stop.
 */
export async function openClaimedDatabase(
  config: Pick<AppSettings, 'databaseUrl' | 'server' | 'stopGraceSeconds'>,
  { queryFailed, measure }: Pick<Metrics, 'queryFailed' | 'measure'>,
  log: Logger,
): Promise<OpenDatabase> {
  const limitMs = toStopGraceMs(config) + deployMarginMs;
  const deadline = performance.now() + limitMs;
  let stopServing: (() => Promise<void>) | undefined;
  try {
    for (;;) {
      try {
        return await openDatabase(config.databaseUrl, {
          log,
          onQueryError: queryFailed,
          onPool: (pool) => measure({ pool }),
        });
      } catch (error) {
        const isClaimed = error instanceof RackhandError && error.code === 'database_claimed';
        if (!isClaimed || performance.now() >= deadline) throw error;
      }
      if (!stopServing) {
        log.info({ limitMs }, 'another process is using the database; this one is waiting for it to stop');
        stopServing = await serveHealth(config.server, log);
      }
      await delay(retryMs);
    }
  } finally {
    await stopServing?.();
  }
}

/**
 * Serves the health checks, because a platform may wait until the new process is alive before it stops the
 * old one. Returns a function that stops the server.
 */
async function serveHealth(address: AppSettings['server'], log: Logger): Promise<() => Promise<void>> {
  const problem = 'another process is using the database; this one is waiting for it to stop';
  const part = { problem, since: new Date().toISOString(), isRequired: true };
  const routes = createHealthRoutes({ read: async () => new Map([['database', part]]) });
  const server = createHttpServer(routes, address, log);
  // On the same machine, the old process can still occupy the port.
  await server.start().catch(() => undefined);
  return server.stop;
}
