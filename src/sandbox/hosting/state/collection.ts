import { notFound } from '../api-error.ts';

/** Rows of one kind by key, in insertion order. Numeric keys are stored as decimal text. */
export interface Collection<Row> {
  all(): readonly Row[];
  has(key: string | number): boolean;
  /** Returns a row. Throws a 404 error if it doesn't exist. */
  get(key: string | number): Row;
  add(row: Row): void;
  /** Removes a row and returns it. Throws a 404 error if it doesn't exist. */
  remove(key: string | number): Row;
}

/** Creates a collection. `noun` names a row in error messages. */
export function createCollection<Row>(
  noun: string,
  keyOf: (row: Row) => string | number,
  initial: Iterable<Row> = [],
): Collection<Row> {
  const rows = new Map<string, Row>();

  function add(row: Row): void {
    rows.set(String(keyOf(row)), row);
  }

  function get(key: string | number): Row {
    const row = rows.get(String(key));
    if (row === undefined) throw notFound(`There is no ${noun} ${key}.`);
    return row;
  }

  function remove(key: string | number): Row {
    const row = get(key);
    rows.delete(String(key));
    return row;
  }

  for (const row of initial) add(row);
  return { all: () => [...rows.values()], has: (key) => rows.has(String(key)), get, add, remove };
}
