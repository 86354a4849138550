import { sql } from 'kysely';

/**
 * The state of deleted rows, as an SQL literal. If it were a bound parameter, databases wouldn't use a
 * partial index that excludes deleted rows.
 */
export const deletedState = sql.lit<'deleted'>('deleted');
