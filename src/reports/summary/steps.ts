import type { NextStep } from '../../operations/outcome.ts';
import type { Ranked } from './ranking.ts';

/** A label has at most 30 characters, and says which VPS where there are several. */
const longestName = 15;

/** Gives the buttons on a VPS. */
export function stepsFor(vps: string): readonly NextStep[] {
  return [
    { label: 'Graph', operation: 'graph', input: { vps } },
    { label: 'Show', operation: 'show', input: { vps } },
  ];
}

/** Gives the button that keeps a VPS out of what stands out for a day. */
export function muteStep(vps: string): NextStep {
  return { label: 'Mute for a Day', operation: 'mute', input: { vps } };
}

/** Gives buttons below a summary: a look at the worst, as it is called. What does not run has no graph worth a look. */
export function stepsForWorst(worst: readonly Ranked[], most: number): readonly NextStep[] {
  return worst
    .filter(({ report }) => report.name.length <= longestName)
    .slice(0, most)
    .map(({ report: { name: vps }, findings: [first] }) =>
      first?.kind === 'state'
        ? { label: `Show ${vps}`, operation: 'show', input: { vps } }
        : { label: `Graph ${vps}`, operation: 'graph', input: { vps } },
    );
}
