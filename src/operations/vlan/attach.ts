import { attachVlan } from '../../hosting/endpoints/vlans.ts';
import { readVlans } from '../../hosting/payloads/vlans.ts';
import { attachableVlanChoices } from '../choices/sources/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readVlanMembership } from './target-state.ts';
import { createIdFact } from './vlan-facts.ts';

export const vlanAttach = defineChange({
  name: 'vlan attach',
  heading: 'Attach to a VLAN',
  summary: 'Attach a VPS to a VLAN',
  arguments: {
    vps: vpsArgument(),
    vlan: remoteArgument({ source: attachableVlanChoices, label: 'VLAN', example: 'backend' }),
  },
  endpoint: attachVlan,
  button: 'Attach',
  title: ({ vps, vlan }) => `Attach ${vps} to VLAN ${vlan}`,
  target: ({ vps }) => vps,
  readTargetState: readVlanMembership,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps }, body: { vlan_id: vlan } }),
  outcome(data, { vps, vlan }, { vlan: name = vlan } = {}) {
    const { vpsIp } = readVlans(data);
    const ip =
      typeof vpsIp === 'string' ? [{ label: 'VLAN IP', value: { kind: 'code', code: vpsIp } as const }] : [];
    const leading = [...ip, createIdFact(vlan)];
    const omit = ['vps_name', 'vlan_id', ...(ip.length > 0 ? ['vlan_ip'] : [])];
    return {
      title: `${vps} is attached to VLAN ${name}`,
      ...formatResult(data, { leading, omit }),
      next: [
        { label: 'List VLANs', operation: 'vlan list', input: { vps } },
        { label: 'Detach', operation: 'vlan detach', input: { vps, vlan } },
      ],
    };
  },
});
