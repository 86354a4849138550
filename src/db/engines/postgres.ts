import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { RackhandError } from '../../errors.ts';

/** PostgreSQL's OID of `bigint`, which pg returns as text by default. */
const bigintTypeOid = 20;

const maxConnections = 10;

/** How long a server can be silent before the connection is probed. */
const keepAliveDelayMs = 10_000;

/** Time limits of a connection pool. */
export interface PostgresTimeouts {
  /** How long getting a connection from the pool can take. */
  readonly connectMs: number;
  /** How long a query can take. After that, its connection is closed and replaced. */
  readonly queryMs: number;
}

const defaultTimeouts: PostgresTimeouts = { connectMs: 5_000, queryMs: 10_000 };

/** Connections of a pool, and queries that wait for one. */
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

/** Creates a dialect with a connection pool of its own. */
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
      // The server cancels the query too, so that it doesn't keep its locks.
      statement_timeout: timeouts.queryMs,
      idle_in_transaction_session_timeout: timeouts.queryMs,
    }),
  });
  pool.on('error', onIdleError);
  onPool?.(() => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new PostgresDialect({ pool: replaceBrokenConnections(pool) });
}

/**
 * PostgreSQL's error classes of connections (08), of too many connections (53), and of a server
 * that stops or starts (57P). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unreachableStates = /^(08|53|57P)/;

/** Returns whether the server didn't answer, or said that it can't serve this connection. */
function isUnreachable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || unreachableStates.test(error.code ?? '');
}

function unreachableError(cause: unknown): RackhandError {
  return new RackhandError('database_unreachable', "Rackhand can't reach its database.", { cause });
}

/**
 * Closes a connection that stopped answering. Otherwise, the pool would use it for the next query,
 * which could get the late answer or none.
 */
function replaceBrokenConnections(pool: pg.Pool): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect().catch((error: unknown) => {
        throw isUnreachable(error) ? unreachableError(error) : error;
      });
      let isBroken = false;
      // Between two queries of a transaction, nothing else listens for errors, and an `error`
      // event without a listener would end the process. The next query fails.
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
