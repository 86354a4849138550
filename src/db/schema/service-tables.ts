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
}
