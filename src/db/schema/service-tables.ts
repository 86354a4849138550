import type { Kysely } from 'kysely';

/** Everything that was understood in the payloads of one endpoint. */
export interface ServicePayloadTable {
  team_id: string;
  endpoint: string;
  /** JSON: where readings were found. */
  findings: string;
  /** JSON: the payload's fields with examples, but without secrets. */
  fields: string;
  learned_at: number;
}

/** The field of a reading, as chosen by an admin. */
export interface ServiceCorrectionTable {
  team_id: string;
  reading: string;
  field: string;
  unit: string | null;
  set_by: string;
  set_at: number;
  /** When the field was first missing from payloads. */
  missing_since: number | null;
}

/** Creates the tables for each workspace's hosting service. They belong to the first release's schema. */
export async function createServiceTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('service_payload')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('findings', 'text', (column) => column.notNull())
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('learned_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_payload_key', ['team_id', 'endpoint'])
    .execute();
  await db.schema
    .createTable('service_correction')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('reading', 'text', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('unit', 'text')
    .addColumn('set_by', 'text', (column) => column.notNull())
    .addColumn('set_at', 'bigint', (column) => column.notNull())
    .addColumn('missing_since', 'bigint')
    .addPrimaryKeyConstraint('service_correction_key', ['team_id', 'reading'])
    .execute();
}
