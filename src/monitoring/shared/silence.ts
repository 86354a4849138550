import type { SelectableVps } from './vps-selection.ts';

/** The VPS about which watches and reports are silent now, because someone works on them. */
export interface Silence {
  /** Returns the time (epoch ms) at which the silence about a VPS ends, or undefined. */
  untilMs(vps: SelectableVps): number | undefined;
}

/** A change by Rackhand that interrupts a VPS. */
export interface RecentAct {
  readonly vps: string;
  readonly sentMs: number;
  /** The run whose message reports the change: its own, or the batch to which it belongs. */
  readonly runId: string;
  /** What was done, such as "Reboot web-01 (VPS-10001)". */
  readonly title: string;
}

/** Lists the changes since a time, oldest first. */
export type ListRecentActs = (teamId: string, sinceMs: number) => Promise<readonly RecentAct[]>;

/** Loads which VPS of a workspace are silenced at a time. */
export type LoadSilence = (teamId: string, nowMs: number) => Promise<Silence>;

export const noSilence: Silence = { untilMs: () => undefined };
