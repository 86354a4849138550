import { performVpsAction } from '../../hosting/endpoints/vps.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineChange } from '../define/define-operation.ts';
import type { Fact } from '../define/outcome.ts';
import { formatActionResult } from './format-action-result.ts';
import { readVpsProgress } from './progress.ts';
import { isOff, readVpsState } from './target-state.ts';

/** Returns the warning for a reboot, or undefined if these facts say that the VPS is off. */
export function rebootWarning(facts: readonly Fact[]): string | undefined {
  return isOff(facts) ? undefined : "Everything running on the VPS is interrupted until it's back.";
}

export const rebootAllWarning = "Everything running on these VPS is interrupted until they're back.";

export const reboot = defineChange({
  name: 'reboot',
  heading: 'Reboot a VPS',
  summary: 'Reboot a VPS',
  arguments: { vps: vpsArgument() },
  endpoint: performVpsAction,
  button: 'Reboot',
  warning: (_, { facts }) => rebootWarning(facts),
  several: {
    button: 'Reboot All',
    warning: rebootAllWarning,
    keepsState: true,
  },
  title: ({ vps }) => `Reboot ${vps}`,
  target: ({ vps }) => vps,
  readTargetState: ({ read }, { vps }) => readVpsState(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
  outcome: (data, { vps }) => ({
    title: `${vps} is rebooting`,
    ...formatActionResult(data, { vps, action: 'reboot' }),
    next: [
      { label: 'Show', operation: 'show', input: { vps } },
      { label: 'Live', operation: 'live', input: { vps } },
    ],
  }),
  readProgress: ({ read }, { vps }) => readVpsProgress(read, vps),
});
