import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { openDatabase } from '../db/engines/database.ts';

const sqlitePrefix = 'sqlite:';

/** Empties the sandbox's database. Deletes the SQLite file, or the rows of every PostgreSQL table. */
export async function clearDatabase(url: string): Promise<void> {
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
