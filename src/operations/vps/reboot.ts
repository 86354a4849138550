import { performVpsAction } from '../../hosting/endpoints/vps.ts';
import { vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { followVps } from './follow.ts';
import { presentVps } from './present.ts';
import { tellAct } from './tell-act.ts';

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
    ...tellAct(data),
    next: [
      { label: 'Show', operation: 'show', input: { vps } },
      { label: 'Live', operation: 'live', input: { vps } },
    ],
  }),
  follow: ({ read }, { vps }) => followVps(read, vps),
});
