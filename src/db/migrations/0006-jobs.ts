import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The table of background jobs. It replaces the leases of audit subscriptions and periodic tasks. */
export const jobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('job')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('claimable_at', 'bigint', (column) => column.notNull())
      .addColumn('claim_token', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('set_aside_reason', 'text')
      .addPrimaryKeyConstraint('job_key', ['kind', 'id'])
      .execute();
    await db.schema.createIndex('job_by_time').on('job').columns(['claimable_at']).execute();
    await db.schema
      .createIndex('job_claimed')
      .on('job')
      .columns(['kind', 'team_id'])
      .where(sql.ref('claim_token'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('job_set_aside')
      .on('job')
      .columns(['kind'])
      .where(sql.ref('set_aside_reason'), 'is not', null)
      .execute();
    await db.schema.alterTable('audit_subscription').dropColumn('owner').execute();
    await db.schema.alterTable('audit_subscription').dropColumn('lease_until').execute();
    await db.schema.dropTable('periodic_task').execute();
  },
};
