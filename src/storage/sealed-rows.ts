import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** One secret as it is kept. */
export interface SealedRow {
  readonly key: string;
  readonly jwe: string;
}

/** Rows that are read at once, so that a large table does not fill the memory. */
const pageSize = 500;

/** Reads the secrets of a column that have not expired, in the order of their keys, page by page; a row may change while this goes on. */
export async function* sealedRows(
  db: Database,
  { table, column, key, expiry }: SealedColumn,
  nowMs: number,
): AsyncGenerator<SealedRow> {
  const [rows, jwe, name] = [sql.table(table), sql.ref(column), sql.ref(key)];
  const living = expiry === undefined ? sql`1 = 1` : sql`${sql.ref(expiry)} > ${nowMs}`;
  let after = '';
  for (;;) {
    const query = sql<SealedRow>`
      select ${name} as "key", ${jwe} as "jwe" from ${rows}
      where ${name} > ${after} and ${living} order by ${name} limit ${sql.lit(pageSize)}`;
    const page = (await query.execute(db)).rows;
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.key;
  }
}

/** Puts another ciphertext into the place of one; `false` where the row has changed, or gone, meanwhile. */
export async function replaceSealed(
  db: Database,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  jwe: string,
): Promise<boolean> {
  const query = sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${jwe}
    where ${sql.ref(key)} = ${row.key} and ${sql.ref(column)} = ${row.jwe}`;
  return (await query.execute(db)).numAffectedRows === 1n;
}
