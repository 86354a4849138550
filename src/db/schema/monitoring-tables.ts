/** The values in a report's latest run, for comparison in the next run. */
export interface ReportBaselineTable {
  report_id: string;
  baseline: string;
}

/** Past alerts, which reports show in a digest. */
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
