import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import { type OpenDatabase, openDatabase, sqliteFileOf, toUnusableError } from '../db/engines/database.ts';
import { RackhandError } from '../errors.ts';
import { createHealthRoutes } from '../http/health.ts';
import type { Metrics } from '../http/metrics.ts';
import { createHttpServer } from '../http/server.ts';
import { findStopTimes } from './stop.ts';

/** How long after the start of a new process the platform can tell the old one to stop. */
const deployMarginMs = 10_000;

const retryMs = 500;

type DatabaseMetrics = Pick<Metrics['dependencies'], 'queryFailed' | 'measurePool'>;

export interface ClaimedDatabase extends OpenDatabase {
  /** Whether this process still has its claim on the database. */
  isClaimed(): boolean;
}

/**
 * Claims and opens the database. Without Redis, one process at a time can use it, so that the
 * quota holds. During a deploy, the new process waits until the old one has stopped, and then
 * reads which calls the old process has made. Throws `database_claimed` if the other process
 * doesn't stop.
 */
export async function openClaimedDatabase(
  config: Pick<AppSettings, 'databaseUrl' | 'redisUrl' | 'server' | 'stopGraceSeconds'>,
  metrics: DatabaseMetrics,
  log: Logger,
): Promise<ClaimedDatabase> {
  const limitMs = findStopTimes(config).longestMs + deployMarginMs;
  const deadline = performance.now() + limitMs;
  let stopServing: (() => Promise<void>) | undefined;
  try {
    for (;;) {
      try {
        return await claimAndOpen(config, metrics, log);
      } catch (error) {
        const isClaimed = error instanceof RackhandError && error.code === 'database_claimed';
        if (!isClaimed || performance.now() >= deadline) throw error;
      }
      if (!stopServing) {
        log.info({ limitMs }, 'another process uses the database; this one waits for it to stop');
        stopServing = await serveHealth(config.server, log);
      }
      await delay(retryMs);
    }
  } finally {
    await stopServing?.();
  }
}

async function claimAndOpen(
  { databaseUrl, redisUrl }: Pick<AppSettings, 'databaseUrl' | 'redisUrl'>,
  { queryFailed, measurePool }: DatabaseMetrics,
  log: Logger,
): Promise<ClaimedDatabase> {
  const options = { log, onQueryError: queryFailed, onPool: measurePool };
  // Opening an SQLite file claims it.
  if (sqliteFileOf(databaseUrl) !== undefined) {
    return { ...(await openDatabase(databaseUrl, options)), isClaimed: () => true };
  }
  const { acquireReplicaLock } = await import('../db/engines/replica-lock.ts');
  const lock = await acquireReplicaLock(databaseUrl, { isShared: redisUrl !== undefined, log }).catch(
    (error: unknown) => {
      throw toUnusableError(error);
    },
  );
  try {
    const database = await openDatabase(databaseUrl, options);
    const close = async () => {
      await database.close();
      await lock.release();
    };
    return { ...database, isClaimed: lock.isHeld, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Serves the health checks, because a platform can wait for the new process to be alive before it
 * stops the old one. Returns a function that stops the server.
 */
async function serveHealth(address: AppSettings['server'], log: Logger): Promise<() => Promise<void>> {
  const problem = 'another process uses the database; this one waits for it to stop';
  const part = { problem, since: new Date().toISOString(), isRequired: true };
  const routes = createHealthRoutes({ read: async () => new Map([['database', part]]) });
  const server = createHttpServer(routes, address, log);
  // On the same machine, the old process can still occupy the port.
  await server.start().catch(() => undefined);
  return server.stop;
}
