/** Scheduled reports. */
export interface ReportTable {
  id: string;
  team_id: string;
  /** Unique among the workspace's rows that aren't deleted. */
  name: string;
  channel: string;
  created_by: string;
  created_at: number;
  /** JSON: when it is posted. */
  timing: string;
  content: string;
  state: 'active' | 'paused' | 'deleted';
  /** Incremented when a person changes the schedule. */
  revision: number;
  /** Time of the next or current occurrence; `null` unless the report is active. */
  next_at: number | null;
  /** When the last finished occurrence was due. */
  last_due_at: number | null;
  /** When the first occurrence missed since then was due. */
  missed_since: number | null;
  paused_at: number | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  paused_reason: string | null;
}

/** The values in the last report. The next report compares with them. */
export interface ReportBaselineTable {
  report_id: string;
  baseline: string;
}

/** Hourly stats of a VPS that reports have read. */
export interface VpsHourlyStatsTable {
  team_id: string;
  vps: string;
  from_at: number;
  until_at: number;
  hourly_stats: string;
}

/** Conditions that are checked regularly. */
export interface WatchTable {
  id: string;
  team_id: string;
  /** Unique among the workspace's rows that aren't deleted. */
  name: string;
  channel: string;
  /** A VPS name or a pattern. */
  vps: string;
  condition: string;
  /** The person or user group that is pinged when an alert begins. */
  notify: string | null;
  /** The person or user group that is pinged if nobody acknowledges an alert. */
  escalate_to: string | null;
  /** How long after the start of an alert `escalate_to` is pinged, in ms. */
  escalate_after: number | null;
  created_by: string;
  created_at: number;
  state: 'active' | 'paused' | 'deleted';
  /** Incremented with every change. An update that expects an older revision fails. */
  revision: number;
  /** JSON: the alert state of each VPS. */
  vps_states: string;
  /** JSON: the open incident; `null` if there is none. */
  incident: string | null;
  paused_at: number | null;
  /** `null` if Rackhand paused it. */
  paused_by: string | null;
  paused_reason: string | null;
}

/** Alerts of watches that have ended, for the digest in reports. */
export interface PastAlertTable {
  watch_id: string;
  began_at: number;
  /** `null` if the watch was stopped before its VPS had recovered. */
  ended_at: number | null;
  team_id: string;
  watch_name: string;
  /** JSON: the names of the VPS that alerted. */
  vps: string;
  acknowledged_by: string | null;
  acknowledged_at: number | null;
}
