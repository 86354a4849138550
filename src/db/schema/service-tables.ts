/** What Rackhand learned from one endpoint's payloads. */
export interface ServicePayloadTable {
  team_id: string;
  endpoint: string;
  /** JSON: the fields in which known values were found. */
  findings: string;
  /** JSON: the payload's fields with example values, but without secrets. */
  fields: string;
  learned_at: number;
}

/** The field that an admin chose for a known value. */
export interface ServiceCorrectionTable {
  team_id: string;
  reading: string;
  field: string;
  unit: string | null;
  set_by: string;
  set_at: number;
}
