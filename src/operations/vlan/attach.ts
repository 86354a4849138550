import { attachVlan } from '../../hosting/endpoints/vlan.ts';
import { readVlans } from '../../hosting/readings/vlans.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { otherVlans } from '../sources/vlans.ts';
import { tellResult } from '../tell-result.ts';
import { idFact } from './describe.ts';

export const attach = defineChange({
  name: 'vlan attach',
  heading: 'Attach to a VLAN',
  summary: 'Attach a VPS to a VLAN',
  arguments: {
    vps: vpsArgument(),
    vlan: remoteArgument({ source: otherVlans, label: 'VLAN', example: 'backend' }),
  },
  change: attachVlan,
  button: 'Attach',
  title: ({ vps, vlan }) => `Attach ${vps} to VLAN ${vlan}`,
  target: ({ vps }) => vps,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps }, body: { vlan_id: vlan } }),
  outcome(data, { vps, vlan }, { vlan: name = vlan } = {}) {
    const { ipOfVps } = readVlans(data, vps);
    const ip = ipOfVps === undefined ? [] : [{ label: 'VLAN IP', value: { code: ipOfVps } }];
    const known = [...ip, idFact(vlan)];
    const without = ['vps_name', 'vlan_id', ...(ip.length > 0 ? ['vlan_ip'] : [])];
    return {
      title: `${vps} is attached to VLAN ${name}`,
      ...tellResult(data, { known, without }),
      next: [
        { label: 'List VLANs', operation: 'vlan list', input: { vps } },
        { label: 'Detach', operation: 'vlan detach', input: { vps, vlan } },
      ],
    };
  },
});
