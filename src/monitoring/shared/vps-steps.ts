import type { NextStep } from '../../operations/define/outcome.ts';

export function vpsNextSteps(vps: string): readonly NextStep[] {
  return [graphStep(vps), showStep(vps)];
}

export function graphStep(vps: string): NextStep {
  return { label: 'Graph', operation: 'graph', input: { vps } };
}

export function showStep(vps: string): NextStep {
  return { label: 'Show', operation: 'show', input: { vps } };
}

export function muteStep(vps: string): NextStep {
  return { label: 'Mute for a Day', operation: 'mute', input: { vps } };
}
