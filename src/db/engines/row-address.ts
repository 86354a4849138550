import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Returns the column with the place of a row in its table. A join by it needs no search in an index.
 * Only valid within one statement.
 */
export function rowAddressOf(db: Database): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`ctid` : sql`rowid`;
}
