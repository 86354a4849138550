import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the columns that the purge of removed workspaces and the trimming of outcomes need. */
export const erasure: Migration = {
  async up(db) {
    await db.schema
      .createTable('removed_workspace')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('removed_at', 'bigint', (column) => column.notNull())
      .execute();
    // Workspaces that removed the app before this table existed get the whole grace period.
    await sql`
      insert into removed_workspace (team_id, removed_at)
      select distinct team_id, cast(${Date.now()} as bigint) from run
      where team_id not in (select team_id from installation)
      and team_id not in (select team_id from org_workspace)`.execute(db);
    await db.schema.alterTable('run').addColumn('trimmed_at', 'bigint').execute();
    await db.schema
      .createIndex('run_to_trim')
      .on('run')
      .column('settled_at')
      .where(sql.ref('trimmed_at'), 'is', null)
      .execute();
  },
};
