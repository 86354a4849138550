import { deleteVlan } from '../../hosting/endpoints/vlans.ts';
import { vlanChoices } from '../choices/sources/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readVlanState } from './target-state.ts';
import { createIdFact } from './vlan-facts.ts';

export const vlanDelete = defineChange({
  name: 'vlan delete',
  heading: 'Delete a VLAN',
  summary: 'Delete a VLAN',
  isAccountWide: true,
  arguments: {
    vps: vpsArgument({ hint: 'Any VPS in the account. The API needs one to find the VLAN.' }),
    vlan: remoteArgument({ source: vlanChoices, label: 'VLAN', example: 'backend' }),
  },
  endpoint: deleteVlan,
  button: 'Delete VLAN',
  warning: 'The VLAN is deleted for every VPS in the account.',
  title: ({ vlan }) => `Delete VLAN ${vlan}`,
  target: ({ vlan }) => vlan,
  readTargetState: readVlanState,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps, id: vlan } }),
  outcome: (data, { vps, vlan }, { vlan: name = vlan } = {}) => ({
    title: `VLAN ${name} was deleted`,
    ...formatResult(data, { leading: [createIdFact(vlan)], omit: ['id', 'deleted'] }),
    next: [{ label: 'List VLANs', operation: 'vlan list', input: { vps } }],
  }),
});
