import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { RackhandError } from '../../errors.ts';

/** PostgreSQL's type OID for `bigint`. By default, pg returns such values as text. */
const bigintTypeOid = 20;

const maxConnections = 10;

/** How long (ms) a connection can be idle before TCP keepalive probes it. */
const keepAliveDelayMs = 10_000;

/** The time limits of a connection pool. */
export interface PostgresTimeouts {
  /** Maximum wait (ms) for a connection from the pool. */
  readonly connectMs: number;
  /** Maximum duration (ms) of a query. A query that takes longer fails, and its connection is closed and replaced. */
  readonly queryMs: number;
}

const defaultTimeouts: PostgresTimeouts = { connectMs: 5_000, queryMs: 10_000 };

/** The number of connections in a pool, and of queries waiting for a connection. */
export interface PoolCounts {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface PostgresOptions {
  /** Called if an idle connection is lost. The pool then replaces the connection. */
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
      // The server cancels the query as well, which releases the query's locks.
      statement_timeout: timeouts.queryMs,
      idle_in_transaction_session_timeout: timeouts.queryMs,
    }),
  });
  pool.on('error', onIdleError);
  onPool?.(() => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new PostgresDialect({ pool: replaceBrokenConnections(pool) });
}

/**
 * Matches PostgreSQL error codes for connection failures (08), insufficient resources such as too many
 * connections (53), and server shutdown or startup (57P).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
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
 * Makes a pool close connections that stopped answering. Otherwise, the pool would reuse such a connection
 * for another query, which could get the late answer of the previous query, or no answer.
 */
function replaceBrokenConnections(pool: pg.Pool): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect().catch((error: unknown) => {
        throw isUnreachable(error) ? unreachableError(error) : error;
      });
      let isBroken = false;
      // Between two queries in a transaction, nothing else listens for errors, and an `error` event
      // without a listener would crash the process. With this listener, only the next query fails.
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
      // Kysely also calls `query` in another form for cursors, which Rackhand doesn't use.
      return { query: query as unknown as PostgresPoolClient['query'], release };
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
