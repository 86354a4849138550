import type { NextStep } from '../../operations/outcome.ts';

/** Makes the button that keeps a VPS out of what stands out for a day; its label is given. */
export type MuteStep = (vps: string, label: string) => NextStep;

/** A label has at most 30 characters, and says which VPS where there are several. */
const longestName = 15;

/** Gives the buttons on a VPS that stands out. */
export function stepsFor(vps: string, mute: MuteStep | undefined): readonly NextStep[] {
  return [
    { label: 'Graph', operation: 'graph', input: { vps } },
    { label: 'Show', operation: 'show', input: { vps } },
    ...(mute ? [mute(vps, 'Mute for a Day')] : []),
  ];
}

/** Gives buttons below a summary: a look at the worst, as it is called. */
export function stepsForWorst(worst: readonly string[], most: number): readonly NextStep[] {
  return worst
    .filter((vps) => vps.length <= longestName)
    .slice(0, most)
    .map((vps) => ({ label: `Graph ${vps}`, operation: 'graph', input: { vps } }));
}
