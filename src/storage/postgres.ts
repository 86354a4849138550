import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** PostgreSQL's type number of `bigint`; pg gives it as text unless told otherwise. */
const bigintType = 20;

const maxConnections = 10;

/** Opens a pool of connections to PostgreSQL. */
export function createPostgresDialect(url: string): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(bigintType, Number);
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: maxConnections, types }) });
}
