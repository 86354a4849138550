import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { RackhandError } from '../../errors.ts';

/** PostgreSQL's type OID for `bigint`, which pg returns as text by default. */
const bigintTypeOid = 20;

const maxConnections = 10;

/** How long a connection can be idle before TCP keepalive probes it. */
const keepAliveDelayMs = 10_000;

/** Time limits of a connection pool. */
export interface PostgresTimeouts {
  /** Maximum wait for a connection from the pool. */
  readonly connectMs: number;
  /** Maximum query duration. Afterwards, the query's connection is closed and replaced. */
  readonly queryMs: number;
}

const defaultTimeouts: PostgresTimeouts = { connectMs: 5_000, queryMs: 10_000 };

/** A pool's connections, and queries waiting for one. */
export interface PoolCounts {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface PostgresOptions {
  /** Called when an idle connection is lost. The pool then replaces it. */
  readonly onIdleError?: (error: Error) => void;
  readonly timeouts?: PostgresTimeouts | 'none';
  /** Called with a function that counts the connections. */
  readonly onPool?: (count: () => PoolCounts) => void;
}

export function createPostgresDialect(
  url: string,
  { onIdleError = () => {}, onPool, timeouts = defaultTimeouts }: PostgresOptions = {},
): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(bigintTypeOid, Number);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'rackhand',
    max: maxConnections,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    ...(timeouts !== 'none' && {
      connectionTimeoutMillis: timeouts.connectMs,
      query_timeout: timeouts.queryMs,
      // The server cancels the query too, which releases its locks.
      statement_timeout: timeouts.queryMs,
      idle_in_transaction_session_timeout: timeouts.queryMs,
    }),
  });
  pool.on('error', onIdleError);
  onPool?.(() => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new PostgresDialect({ pool: replaceBrokenConnections(pool) });
}

/**
 * PostgreSQL error classes: connection failures (08), insufficient resources such as too many connections
 * (53), and server shutdown or startup (57P). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unreachableStates = /^(08|53|57P)/;

/** Returns whether the server didn't answer or refused to serve the connection. */
function isUnreachable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || unreachableStates.test(error.code ?? '');
}

function unreachableError(cause: unknown): RackhandError {
  return new RackhandError('database_unreachable', "Rackhand can't reach its database.", { cause });
}

/**
 * Closes connections that stopped answering. Otherwise, the pool would reuse one for the next query, which
 * could get the late answer or none at all.
 */
function replaceBrokenConnections(pool: pg.Pool): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect().catch((error: unknown) => {
        throw isUnreachable(error) ? unreachableError(error) : error;
      });
      let isBroken = false;
      // Between two queries of a transaction, nothing else listens for errors, and an `error` event without a
      // listener would crash the process. The next query fails.
      const onError = () => {
        isBroken = true;
      };
      client.on('error', onError);
      const query = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(sql, [...parameters]);
        } catch (error) {
          if (!isUnreachable(error)) throw error;
          isBroken = true;
          throw unreachableError(error);
        }
      };
      const release = () => {
        client.off('error', onError);
        client.release(isBroken);
      };
      // Kysely's other form of `query` is for cursors, which Rackhand doesn't use.
      return { query: query as unknown as PostgresPoolClient['query'], release };
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
