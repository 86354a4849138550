/** What Rackhand learned from one endpoint's payloads. */
export interface ServicePayloadTable {
  team_id: string;
  endpoint: string;
  /** JSON: the fields where values were found. */
  findings: string;
  /** JSON: the payload's fields with examples, but without secrets. */
  fields: string;
  learned_at: number;
}

/** The field that an admin chose for a value. */
export interface ServiceCorrectionTable {
  team_id: string;
  reading: string;
  field: string;
  unit: string | null;
  set_by: string;
  set_at: number;
}
