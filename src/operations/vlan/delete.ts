import { deleteVlan } from '../../hosting/endpoints/vlan.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { vlans } from '../sources/vlans.ts';
import { tellResult } from '../tell-result.ts';
import { idFact } from './describe.ts';
import { presentVlan } from './present.ts';

export const remove = defineChange({
  name: 'vlan delete',
  heading: 'Delete a VLAN',
  summary: 'Delete a VLAN of the account',
  isAccountWide: true,
  arguments: {
    vps: vpsArgument({ hint: 'Any VPS of the account: the service names a VLAN by way of one.' }),
    vlan: remoteArgument({ source: vlans, label: 'VLAN', example: 'backend' }),
  },
  change: deleteVlan,
  button: 'Delete VLAN',
  warning: 'The VLAN is gone for every VPS of the account.',
  title: ({ vlan }) => `Delete VLAN ${vlan}`,
  target: ({ vlan }) => vlan,
  present: presentVlan,
  request: ({ vps, vlan }) => ({ params: { vps_name: vps, id: vlan } }),
  outcome: (data, { vps, vlan }, { vlan: name = vlan } = {}) => ({
    title: `VLAN ${name} is deleted`,
    ...tellResult(data, { known: [idFact(vlan)], without: ['id', 'deleted'] }),
    next: [{ label: 'List VLANs', operation: 'vlan list', input: { vps } }],
  }),
});
