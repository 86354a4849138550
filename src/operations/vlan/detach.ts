import { detachVlan } from '../../hosting/endpoints/vlan.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { attachedVlans } from '../sources/vlans.ts';
import { tellResult } from '../tell-result.ts';
import { idFact } from './describe.ts';
import { presentVlan } from './present.ts';

export const detach = defineChange({
  name: 'vlan detach',
  heading: 'Detach from a VLAN',
  summary: 'Detach a VPS from a VLAN',
  arguments: {
    vps: vpsArgument(),
    vlan: remoteArgument({ source: attachedVlans, label: 'VLAN', example: 'backend' }),
  },
  change: detachVlan,
  button: 'Detach',
  warning: 'The VPS loses its VLAN IP, and the others in the VLAN no longer reach it there.',
  title: ({ vps, vlan }) => `Detach ${vps} from VLAN ${vlan}`,
  target: ({ vps }) => vps,
  present: presentVlan,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps }, body: { vlan_id: vlan } }),
  outcome: (data, { vps, vlan }, { vlan: name = vlan } = {}) => ({
    title: `${vps} is detached from VLAN ${name}`,
    ...tellResult(data, { known: [idFact(vlan)], without: ['vps_name', 'vlan_id'] }),
    next: [
      { label: 'List VLANs', operation: 'vlan list', input: { vps } },
      { label: 'Attach Again', operation: 'vlan attach', input: { vps, vlan } },
    ],
  }),
});
