import { performVpsAction } from '../../hosting/endpoints/vps.ts';
import { vpsArgument } from '../argument.ts';
import { readFacts } from '../facts.ts';
import { defineChange } from '../operation.ts';
import { presentVps } from './present.ts';

export const reboot = defineChange({
  name: 'reboot',
  heading: 'Reboot a VPS',
  summary: 'Reboot a VPS',
  arguments: { vps: vpsArgument() },
  change: performVpsAction,
  button: 'Reboot',
  warning: 'Everything that runs on it is interrupted until it is back.',
  title: ({ vps }) => `Reboot ${vps}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) => presentVps(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
  outcome: (data, { vps }) => ({
    title: `${vps} is rebooting`,
    facts: readFacts(data, { without: ['vps_name'] }),
    next: [{ label: 'Show', operation: 'show', input: { vps } }],
  }),
});
