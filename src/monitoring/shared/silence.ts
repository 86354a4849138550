import type { SelectableVps } from './vps-selection.ts';

/** The VPS that watches and reports are silent about, because someone is working on them. */
export interface Silence {
  /** Returns when the silence about a VPS ends (epoch ms), or undefined if there is none. */
  untilMs(vps: SelectableVps): number | undefined;
}

/** A change through Rackhand that interrupted a VPS. */
export interface RecentAct {
  readonly vps: string;
  readonly sentMs: number;
  /** The ID of the run or batch whose message reports the change. */
  readonly runId: string;
  /** A description, such as "Reboot web-01 (VPS-10001)". */
  readonly title: string;
}

/** Lists the changes since `sinceMs` that interrupted a VPS, oldest first. */
export type ListRecentActs = (teamId: string, sinceMs: number) => Promise<readonly RecentAct[]>;

export type LoadSilence = (teamId: string, nowMs: number) => Promise<Silence>;

export const noSilence: Silence = { untilMs: () => undefined };
