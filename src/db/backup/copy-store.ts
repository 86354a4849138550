import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { RackhandError } from '../../errors.ts';
import type { Database, OpenDatabase } from '../engines/database.ts';
import { storedData, storedTables } from '../stored-data.ts';

/** A table's row count, and a digest of its rows. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** 32 hexadecimal digits, which are the same for the same rows in any order and in any database. */
  readonly digest: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Number of rows per statement. PostgreSQL allows 65,535 parameters in a statement, and SQLite 32,766. */
const batchRows = 500;

/**
 * Copies all rows from one database to an empty one in a single transaction, and reads them back. Returns
 * a digest of each table. Throws `input_invalid` if the target already has rows, and `internal` if the
 * copy differs from the source.
 */
export async function copyStore(from: OpenDatabase, to: OpenDatabase): Promise<readonly TableDigest[]> {
  return to.db.transaction().execute(async (target) => {
    for (const table of storedTables) {
      const [row] = await readBatch(target, table, undefined, 1);
      if (row) throw new RackhandError('input_invalid', `The target isn't empty: ${table} has rows.`);
    }
    const copied = await readSnapshot(from, (source) =>
      digestTables(source, async (table, rows) => {
        await sql`
          insert into ${sql.table(table)} (${sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))})
          values ${sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`))}
        `.execute(target);
      }),
    );
    const stored = await digestTables(target);
    for (const [index, { table, rows, digest }] of copied.entries()) {
      if (stored[index]?.rows === rows && stored[index].digest === digest) continue;
      throw new RackhandError('internal', `The copy of ${table} differs from its source.`);
    }
    return copied;
  });
}

/** Returns a digest of each table. Calls `onRows` with each batch of rows. */
export async function digestTables(
  db: Database,
  onRows: (table: (typeof storedTables)[number], rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<readonly TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of storedTables) {
    let [rows, sum, last]: [number, bigint, Row | undefined] = [0, 0n, undefined];
    for (;;) {
      const batch = await readBatch(db, table, last, batchRows);
      if (batch.length === 0) break;
      for (const row of batch) sum = (sum + digestRow(row)) % 2n ** 128n;
      rows += batch.length;
      last = batch.at(-1);
      await onRows(table, batch);
    }
    digests.push({ table, rows, digest: sum.toString(16).padStart(32, '0') });
  }
  return digests;
}

/**
 * Reads all tables from one consistent snapshot. PostgreSQL needs `repeatable read` for a snapshot; with
 * SQLite, any transaction reads from one.
 */
function readSnapshot<Result>(
  { db, hasReplicas }: OpenDatabase,
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  const transaction = db.transaction();
  return (hasReplicas ? transaction.setIsolationLevel('repeatable read') : transaction).execute(read);
}

/** Reads the next batch of rows after `last`, in key order. */
async function readBatch(
  db: Database,
  table: (typeof storedTables)[number],
  last: Row | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const columns: readonly string[] = storedData[table].key;
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const after = last && sql`where (${key}) > (${sql.join(columns.map((column) => last[column]))})`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} ${after ?? sql``} order by ${key} limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

function digestRow(row: Row): bigint {
  const columns = Object.keys(row).toSorted();
  const text = JSON.stringify(columns.map((column) => [column, row[column]]));
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
}
