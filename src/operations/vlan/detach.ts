import { detachVlan } from '../../hosting/endpoints/vlans.ts';
import { attachedVlanChoices } from '../choices/sources/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { findFactText } from '../format/target-state.ts';
import { formatMembership, readVlanState } from './target-state.ts';
import { createIdFact, membersLabel } from './vlan-facts.ts';

export const vlanDetach = defineChange({
  name: 'vlan detach',
  heading: 'Detach from a VLAN',
  summary: 'Detach a VPS from a VLAN',
  arguments: {
    vps: vpsArgument(),
    vlan: remoteArgument({ source: attachedVlanChoices, label: 'VLAN', example: 'backend' }),
  },
  endpoint: detachVlan,
  button: 'Detach',
  warning: 'The VPS loses its VLAN IP, so other VPS in the VLAN can no longer reach it.',
  title: ({ vps, vlan }) => `Detach ${vps} from VLAN ${vlan}`,
  target: ({ vps }) => vps,
  readTargetState: readVlanState,
  undo: ({ vps, vlan }, before) =>
    findFactText(before, membersLabel)?.split(', ').includes(vps)
      ? {
          label: 'Attach Again',
          operation: 'vlan attach',
          input: { vps, vlan },
          expected: formatMembership(false),
        }
      : undefined,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps }, body: { vlan_id: vlan } }),
  outcome: (data, { vps, vlan }, { vlan: name = vlan } = {}) => ({
    title: `${vps} is detached from VLAN ${name}`,
    ...formatResult(data, { leading: [createIdFact(vlan)], omit: ['vps_name', 'vlan_id'] }),
    next: [{ label: 'List VLANs', operation: 'vlan list', input: { vps } }],
  }),
});
