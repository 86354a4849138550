import type { SelectableVps } from '../vps-selection.ts';

/** The VPS about which watches and reports are silent now, because someone works on them. */
export interface Silence {
  /** Returns until when they are silent about a VPS (epoch ms), or undefined. */
  untilMs(vps: SelectableVps): number | undefined;
}

/** Loads the silence of a workspace at a time. */
export type LoadSilence = (teamId: string, nowMs: number) => Promise<Silence>;

export const noSilence: Silence = { untilMs: () => undefined };
