import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the hash chain of the activity log. Entries of earlier versions are sealed at the next start. */
export const auditChain: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_chain')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('summary_digest', 'text')
      .addColumn('sealed_at', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('tombstone', 'text')
      .addColumn('streamed_at', 'bigint')
      .addPrimaryKeyConstraint('audit_chain_key', ['team_id', 'seq'])
      .execute();
    await db.schema.createIndex('audit_chain_by_run').on('audit_chain').column('run_id').execute();
    await db.schema
      .createIndex('audit_chain_to_stream')
      .on('audit_chain')
      .column('sealed_at')
      .where(sql.ref('streamed_at'), 'is', null)
      .execute();
    await db.schema.alterTable('run').addColumn('sealed_at', 'bigint').execute();
    await db.schema
      .createIndex('run_to_seal')
      .on('run')
      .column('settled_at')
      .where(sql.ref('sealed_at'), 'is', null)
      .execute();
  },
};
