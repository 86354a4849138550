import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** PostgreSQL's OID of `bigint`, which pg returns as text by default. */
const bigintTypeOid = 20;

const maxConnections = 10;

/**
 * Opens a connection pool. Calls `onIdleError` when an idle connection is lost; the pool then
 * replaces it.
 */
export function createPostgresDialect(url: string, onIdleError: (error: Error) => void): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(bigintTypeOid, Number);
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, types });
  pool.on('error', onIdleError);
  return new PostgresDialect({ pool });
}
