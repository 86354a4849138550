import { sql } from 'kysely';

/**
 * The state of deleted rows, as a literal: databases don't use a partial index without deleted rows
 * for a bound parameter.
 */
export const deletedState = sql.lit<'deleted'>('deleted');
