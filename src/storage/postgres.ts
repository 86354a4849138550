import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** PostgreSQL's type number of `bigint`; pg gives it as text unless told otherwise. */
const bigintType = 20;

const maxConnections = 10;

/** Opens a pool of connections to PostgreSQL. `onIdleError` is told when one that is not in use breaks; the pool replaces it. */
export function createPostgresDialect(url: string, onIdleError: (error: Error) => void): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(bigintType, Number);
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, types });
  pool.on('error', onIdleError);
  return new PostgresDialect({ pool });
}
