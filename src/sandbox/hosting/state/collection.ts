import { notFound } from '../refusal.ts';

/** Rows of one kind by their key, in the order in which they were added. A key that is a number is its decimal text. */
export interface Collection<Row> {
  all(): readonly Row[];
  has(key: string | number): boolean;
  /** Returns a row, or refuses with 404. */
  get(key: string | number): Row;
  add(row: Row): void;
  /** Removes a row and returns it, or refuses with 404. */
  remove(key: string | number): Row;
}

/** Creates a collection; `noun` is what a person calls one row. */
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
