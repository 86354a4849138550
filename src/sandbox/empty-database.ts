import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { openDatabase } from '../storage/database.ts';

const sqlitePrefix = 'sqlite:';

/** Empties the sandbox's database: removes the file of SQLite, and the rows of every table of PostgreSQL. */
export async function emptyDatabase(url: string): Promise<void> {
  if (url.startsWith(sqlitePrefix)) {
    const file = url.slice(sqlitePrefix.length);
    for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
    return;
  }
  const { db, close } = await openDatabase(url);
  const tables = await db.introspection.getTables();
  for (const { name } of tables) {
    if (!name.startsWith('kysely_')) await sql`delete from ${sql.table(name)}`.execute(db);
  }
  await close();
}
