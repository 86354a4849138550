import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';

/** Identifies Rackhand's advisory lock within a database. Any fixed number would do. */
export const replicaLockId = 7_225_426;

const retryMs = 500;

/**
 * How long a process sends no calls after another process has had its claim. After that, the other
 * process's calls are no longer in the quota's window.
 */
export const otherClaimMs = 2 * 60_000;

/** A process's claim on a PostgreSQL database, held for as long as the process lives. */
export interface ReplicaLock {
  /** Whether this process has the claim, and no other has had it for two minutes. */
  isHeld(): boolean;
  release(): Promise<void>;
}

interface ReplicaLockOptions {
  /** Whether other processes can use the database too. They share the quota through Redis. */
  readonly isShared: boolean;
  readonly log: Pick<Logger, 'error' | 'info'>;
  /** Monotonic time in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Claims the database for this process alone, or shares it with other replicas. The claim is a lock
 * of a connection, so it ends with the process. Throws `database_claimed` if another process's
 * claim excludes this one.
 */
export async function acquireReplicaLock(
  url: string,
  { isShared, log, now = () => performance.now() }: ReplicaLockOptions,
): Promise<ReplicaLock> {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let heldFromMs = Number.NEGATIVE_INFINITY;

  async function tryToLock(): Promise<boolean> {
    const candidate = new pg.Client({
      connectionString: url,
      application_name: 'rackhand-lock',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    candidate.on('error', () => {});
    try {
      await candidate.connect();
      const { rows } = await candidate.query(
        `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1) as locked`,
        [replicaLockId],
      );
      if (rows[0]?.locked !== true) {
        await candidate.end();
        return false;
      }
    } catch (error) {
      await candidate.end().catch(() => {});
      throw error;
    }
    client = candidate;
    candidate.once('end', () => {
      client = undefined;
      if (!stopping.signal.aborted) void lockAgain();
    });
    return true;
  }

  /** Takes the lock again after its connection was lost. */
  async function lockAgain(): Promise<void> {
    let isReported = false;
    while (!stopping.signal.aborted) {
      const locked = await tryToLock().catch(() => undefined);
      if (locked && isReported) heldFromMs = now() + otherClaimMs;
      if (locked) return log.info('the connection that claims the database is back');
      if (locked === false && !isReported) {
        isReported = true;
        log.error('another Rackhand process has claimed the database; this one is not ready');
      }
      await delay(retryMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  }

  if (!(await tryToLock())) {
    throw new RackhandError(
      'database_claimed',
      isShared
        ? 'A Rackhand process without REDIS_URL uses this database. Stop it, or give it the same REDIS_URL.'
        : 'Another Rackhand process uses this database. Stop it, or set REDIS_URL for both: processes share the quota through Redis.',
    );
  }

  return {
    isHeld: () => client !== undefined && now() >= heldFromMs,
    async release() {
      stopping.abort();
      await client?.end();
    },
  };
}
