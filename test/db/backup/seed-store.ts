import type { Database } from '../../../src/db/engines/database.ts';
import { storedTables } from '../../../src/db/stored-data.ts';

/** Adds rows to every table, with values that databases sort and store differently. */
export async function seedEveryTable(db: Database, rowsPerTable: number): Promise<void> {
  const tables = await db.introspection.getTables();
  for (const name of storedTables) {
    const columns = tables.find((table) => table.name === name)?.columns ?? [];
    const rows = Array.from({ length: rowsPerTable }, (_, index) =>
      Object.fromEntries(
        columns.map(({ name: column, dataType, isNullable }) => {
          if (isNullable && index % 2 === 0) return [column, null];
          const isText = dataType.toLowerCase().includes('text');
          return [
            column,
            isText ? `${['Ä', 'a', 'B', '_', 'é'][index % 5]}-${index}` : 1_700_000_000 + index,
          ];
        }),
      ),
    );
    for (const row of rows)
      await db
        .insertInto(name)
        .values(row as never)
        .execute();
  }
}
