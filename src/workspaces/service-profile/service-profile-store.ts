import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { parseJson } from '../../db/parse-json.ts';
import type { Correction } from '../../hosting/profile/readings/correction.ts';
import type { ReadingEndpoint } from '../../hosting/profile/readings/reading.ts';
import type { FoundReading, Inference, OfferedField } from '../../hosting/profile/service/infer.ts';

const storedFindings = z.array(
  z.object({
    reading: z.string(),
    fields: z.array(z.string()),
    example: z.union([z.string(), z.number()]).exactOptional(),
    isCalculated: z.boolean(),
    isCertain: z.boolean(),
  }),
) satisfies z.ZodType<readonly FoundReading[]>;

const storedFields = z.array(z.object({ field: z.string(), example: z.string() })) satisfies z.ZodType<
  readonly OfferedField[]
>;

/** The fields and readings that were found in the payloads of one endpoint. */
export interface LearnedPayload extends Inference {
  readonly endpoint: ReadingEndpoint;
  readonly learnedMs: number;
}

/** A reading whose field an admin has chosen. */
export interface StoredCorrection extends Correction {
  readonly setBy: string;
  readonly setMs: number;
  /** When the field was first missing from a payload; `null` if it isn't missing. */
  readonly missingSinceMs: number | null;
}

/** Stores what was learned about each workspace's hosting service, and what admins corrected. */
export interface ServiceProfileStore {
  listPayloads(teamId: string): Promise<readonly LearnedPayload[]>;
  findPayload(teamId: string, endpoint: ReadingEndpoint): Promise<LearnedPayload | undefined>;
  savePayload(teamId: string, payload: LearnedPayload): Promise<void>;
  listCorrections(teamId: string): Promise<readonly StoredCorrection[]>;
  saveCorrection(teamId: string, correction: StoredCorrection): Promise<void>;
  /** Stores when a reading's field was first missing. `null` means that it isn't missing. */
  setMissing(teamId: string, reading: string, sinceMs: number | null): Promise<void>;
  /** Removes the correction of a reading, or all corrections. Returns how many there were. */
  removeCorrections(teamId: string, reading?: string): Promise<number>;
}

export function createServiceProfileStore(db: Database): ServiceProfileStore {
  const selectPayloads = (teamId: string) =>
    db.selectFrom('service_payload').selectAll().where('team_id', '=', teamId);

  async function removeCorrections(teamId: string, reading?: string): Promise<number> {
    let query = db.deleteFrom('service_correction').where('team_id', '=', teamId);
    if (reading !== undefined) query = query.where('reading', '=', reading);
    return Number((await query.executeTakeFirst()).numDeletedRows);
  }

  return {
    async listPayloads(teamId) {
      return (await selectPayloads(teamId).execute()).flatMap((row) => toLearnedPayload(row) ?? []);
    },

    async findPayload(teamId, endpoint) {
      const row = await selectPayloads(teamId).where('endpoint', '=', endpoint).executeTakeFirst();
      return row && toLearnedPayload(row);
    },

    async savePayload(teamId, { endpoint, findings, fields, learnedMs }) {
      const values = {
        findings: JSON.stringify(findings),
        fields: JSON.stringify(fields),
        learned_at: learnedMs,
      };
      await db
        .insertInto('service_payload')
        .values({ team_id: teamId, endpoint, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'endpoint']).doUpdateSet(values))
        .execute();
    },

    async listCorrections(teamId) {
      const rows = await db
        .selectFrom('service_correction')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('reading')
        .execute();
      return rows.map(({ reading, field, unit, set_by, set_at, missing_since }) => ({
        reading,
        field,
        ...(unit !== null && { unit }),
        setBy: set_by,
        setMs: set_at,
        missingSinceMs: missing_since,
      }));
    },

    async saveCorrection(teamId, { reading, field, unit, setBy, setMs, missingSinceMs }) {
      const values = {
        field,
        unit: unit ?? null,
        set_by: setBy,
        set_at: setMs,
        missing_since: missingSinceMs,
      };
      await db
        .insertInto('service_correction')
        .values({ team_id: teamId, reading, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'reading']).doUpdateSet(values))
        .execute();
    },

    async setMissing(teamId, reading, sinceMs) {
      await db
        .updateTable('service_correction')
        .set({ missing_since: sinceMs })
        .where('team_id', '=', teamId)
        .where('reading', '=', reading)
        .execute();
    },

    removeCorrections,
  };
}

/** Returns undefined for a row that can't be read. The payload is learned again then. */
function toLearnedPayload(row: {
  readonly endpoint: string;
  readonly findings: string;
  readonly fields: string;
  readonly learned_at: number;
}): LearnedPayload | undefined {
  const findings = parseJson(storedFindings, row.findings);
  const fields = parseJson(storedFields, row.fields);
  if (!findings || !fields) return undefined;
  return { endpoint: row.endpoint as ReadingEndpoint, findings, fields, learnedMs: row.learned_at };
}
