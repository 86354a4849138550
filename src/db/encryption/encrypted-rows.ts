import { sql } from 'kysely';
import type { Database } from '../engines/database.ts';
import type { EncryptedColumn } from './encrypted-columns.ts';

export interface EncryptedRow {
  readonly key: string;
  /** The owner that the secret is bound to. */
  readonly owner: string;
  readonly jwe: string;
}

/** Number of rows per query, which limits memory use for large tables. */
const pageSize = 500;

/** Reads a column's unexpired secrets in key order. Rows may change while this runs. */
export async function* readEncryptedRows(
  db: Database,
  { table, column, keyColumn, ownerColumns = [keyColumn], expiresAtColumn }: EncryptedColumn,
  nowMs: number,
): AsyncGenerator<EncryptedRow> {
  const [rows, jwe, name] = [sql.table(table), sql.ref(column), sql.ref(keyColumn)];
  const owner = sql.join(
    ownerColumns.map((part) => sql.ref(part)),
    sql` || '/' || `,
  );
  const isUnexpired =
    expiresAtColumn === undefined ? sql`1 = 1` : sql`${sql.ref(expiresAtColumn)} > ${nowMs}`;
  let after = '';
  for (;;) {
    const query = sql<EncryptedRow>`
      select ${name} as "key", ${owner} as "owner", ${jwe} as "jwe" from ${rows}
      where ${name} > ${after} and ${jwe} is not null and ${isUnexpired} order by ${name} limit ${sql.lit(pageSize)}`;
    const page = (await query.execute(db)).rows;
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.key;
  }
}

/** Replaces a ciphertext. Returns false if the row has been changed or deleted since it was read. */
export async function replaceCiphertext(
  db: Database,
  { table, column, keyColumn }: EncryptedColumn,
  row: EncryptedRow,
  jwe: string,
): Promise<boolean> {
  const query = sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${jwe}
    where ${sql.ref(keyColumn)} = ${row.key} and ${sql.ref(column)} = ${row.jwe}`;
  return (await query.execute(db)).numAffectedRows === 1n;
}
