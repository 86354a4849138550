/** The values in the last report, for comparison in the next one. */
export interface ReportBaselineTable {
  report_id: string;
  baseline: string;
}

/** Past alerts, for the digest in reports. */
export interface PastAlertTable {
  watch_id: string;
  began_at: number;
  /** `null` if the watch was stopped before its VPS recovered. */
  ended_at: number | null;
  team_id: string;
  watch_name: string;
  /** JSON: the names of the VPS that alerted. */
  vps: string;
  acknowledged_by: string | null;
  acknowledged_at: number | null;
}
