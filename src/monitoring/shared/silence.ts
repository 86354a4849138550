import type { SelectableVps } from './vps-selection.ts';

/** The VPS about which watches and reports are silent now, because someone works on them. */
export interface Silence {
  /** Returns the time (epoch ms) at which the silence about a VPS ends, or undefined. */
  untilMs(vps: SelectableVps): number | undefined;
}

/** Loads which VPS of a workspace are silenced at a time. */
export type LoadSilence = (teamId: string, nowMs: number) => Promise<Silence>;

export const noSilence: Silence = { untilMs: () => undefined };
