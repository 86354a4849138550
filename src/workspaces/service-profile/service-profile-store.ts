import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { parseJson } from '../../db/parse-json.ts';
import type { FieldMapping } from '../../hosting/payloads/field-mapping.ts';
import type { FoundMapping, OfferedField, UnderstoodPayload } from '../../hosting/payloads/found-mappings.ts';
import type { PayloadEndpoint } from '../../hosting/payloads/known-values.ts';

const storedMappings = z.array(
  z.object({
    value: z.string(),
    fields: z.array(z.string()),
    example: z.union([z.string(), z.number()]).exactOptional(),
    isCertain: z.boolean(),
    units: z.array(z.string()).exactOptional(),
  }),
) satisfies z.ZodType<readonly FoundMapping[]>;

const storedFields = z.array(z.object({ field: z.string(), example: z.string() })) satisfies z.ZodType<
  readonly OfferedField[]
>;

/** The fields and field mappings that were found in one endpoint's payloads. */
export interface LearnedPayload extends UnderstoodPayload {
  readonly endpoint: PayloadEndpoint;
  readonly learnedMs: number;
}

/** A field mapping set by an admin. */
export interface SetMapping extends FieldMapping {
  readonly setBy: string;
  readonly setMs: number;
}

/** Stores what was learned about each workspace's hosting service, and the field mappings that admins set. */
export interface ServiceProfileStore {
  listPayloads(teamId: string): Promise<readonly LearnedPayload[]>;
  findPayload(teamId: string, endpoint: PayloadEndpoint): Promise<LearnedPayload | undefined>;
  savePayload(teamId: string, payload: LearnedPayload): Promise<void>;
  listMappings(teamId: string): Promise<readonly SetMapping[]>;
  saveMapping(teamId: string, mapping: SetMapping): Promise<void>;
  /** Removes the mapping of one value, or all mappings. Returns how many were removed. */
  removeMappings(teamId: string, value?: string): Promise<number>;
}

export function createServiceProfileStore(db: Database): ServiceProfileStore {
  const selectPayloads = (teamId: string) =>
    db.selectFrom('service_payload').selectAll().where('team_id', '=', teamId);

  return {
    async listPayloads(teamId) {
      return (await selectPayloads(teamId).execute()).flatMap((row) => toLearnedPayload(row) ?? []);
    },

    async findPayload(teamId, endpoint) {
      const row = await selectPayloads(teamId).where('endpoint', '=', endpoint).executeTakeFirst();
      return row && toLearnedPayload(row);
    },

    async savePayload(teamId, { endpoint, mappings, fields, learnedMs }) {
      const values = {
        findings: JSON.stringify(mappings),
        fields: JSON.stringify(fields),
        learned_at: learnedMs,
      };
      await db
        .insertInto('service_payload')
        .values({ team_id: teamId, endpoint, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'endpoint']).doUpdateSet(values))
        .execute();
    },

    async listMappings(teamId) {
      const rows = await db
        .selectFrom('service_correction')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('reading')
        .execute();
      return rows.map(({ reading, field, unit, set_by, set_at }) => ({
        value: reading,
        field,
        ...(unit !== null && { unit }),
        setBy: set_by,
        setMs: set_at,
      }));
    },

    async saveMapping(teamId, { value, field, unit, setBy, setMs }) {
      const values = { field, unit: unit ?? null, set_by: setBy, set_at: setMs };
      await db
        .insertInto('service_correction')
        .values({ team_id: teamId, reading: value, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'reading']).doUpdateSet(values))
        .execute();
    },

    async removeMappings(teamId, value) {
      let query = db.deleteFrom('service_correction').where('team_id', '=', teamId);
      if (value !== undefined) query = query.where('reading', '=', value);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}

/** Converts a row. Returns undefined if the row can't be read, in which case its payload is learned again. */
function toLearnedPayload(row: {
  readonly endpoint: string;
  readonly findings: string;
  readonly fields: string;
  readonly learned_at: number;
}): LearnedPayload | undefined {
  const mappings = parseJson(storedMappings, row.findings);
  const fields = parseJson(storedFields, row.fields);
  if (!mappings || !fields) return undefined;
  return { endpoint: row.endpoint as PayloadEndpoint, mappings, fields, learnedMs: row.learned_at };
}
