import type { Period } from '../../../time/periods.ts';

export interface Alert {
  readonly watchName: string;
  readonly beganMs: number;
  /** `null` if the alert is open, or if the watch was stopped before its VPS had recovered. */
  readonly endedMs: number | null;
  readonly isOpen: boolean;
  /** The names of the VPS that alerted. */
  readonly vps: readonly string[];
  readonly acknowledgedMs: number | null;
  /** The link to the message of an open alert. */
  readonly url?: string | undefined;
}

/** Lists the alerts that began in a period. Returns undefined if the workspace has no watches. */
export type ListAlerts = (teamId: string, period: Period) => Promise<readonly Alert[] | undefined>;
