import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How long processes of the earlier version count as senders. They don't record that they send. */
const upgradeMs = 600_000;

/** Adds the times until which processes can send calls to the hosting service. */
export const quotaSender: Migration = {
  async up(db) {
    await db.schema
      .createTable('quota_sender')
      .addColumn('process_id', 'text', (column) => column.primaryKey())
      .addColumn('active_until', 'bigint', (column) => column.notNull())
      .execute();
    await sql`
      insert into quota_sender (process_id, active_until)
      select 'before the upgrade', cast(${Date.now() + upgradeMs} as bigint)
      where exists (select 1 from api_key)`.execute(db);
  },
};
