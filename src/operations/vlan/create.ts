import { z } from 'zod';
import { createVlan } from '../../hosting/endpoints/vlan.ts';
import { cidr } from '../../hosting/fields.ts';
import { readVlans } from '../../hosting/readings/vlans.ts';
import { textArgument, vpsArgument } from '../argument.ts';
import { lineOfText } from '../line-of-text.ts';
import { defineChange } from '../operation.ts';
import { tellResult } from '../tell-result.ts';

const ipRange = z
  .string({ error: 'Give the range of the VLAN' })
  .trim()
  .refine((range) => cidr.safeParse(range).success, {
    error: 'A range is an address and a prefix length, such as 10.40.0.0/24',
  });

export const create = defineChange({
  name: 'vlan create',
  heading: 'Create a VLAN',
  summary: 'Create a VLAN in the account of a VPS',
  isAccountWide: true,
  arguments: {
    vps: vpsArgument({ hint: 'The VLAN belongs to the account; this VPS is not attached by it.' }),
    name: textArgument({ label: 'Name', example: 'backend' }, lineOfText('Give the VLAN a name')),
    ip_range: textArgument(
      {
        label: 'Range',
        example: '10.40.0.0/24',
        hint: 'In CIDR: the address of the network, a slash and the prefix length.',
      },
      ipRange,
    ),
  },
  change: createVlan,
  button: 'Create VLAN',
  title: ({ name, ip_range }) => `Create VLAN ${name} with ${ip_range}`,
  target: ({ name }) => name,
  request: ({ vps, name, ip_range }) => ({ params: { vps_name: vps }, body: { name, ip_range } }),
  outcome: (data, { vps, name }) => ({
    title: `VLAN ${name} is created`,
    ...tellResult(data, { without: ['name'] }),
    next: [
      { label: 'Attach a VPS', operation: 'vlan attach', input: { vps, ...idIn(data) }, opensForm: true },
      { label: 'List VLANs', operation: 'vlan list', input: { vps } },
    ],
  }),
});

/** Finds the identifier of the new VLAN, which may stand in the payload itself or in a field of it. */
function idIn(data: unknown): { readonly vlan?: string } {
  const [created] = [...readVlans(data).vlans, ...readVlans([data]).vlans];
  return created ? { vlan: created.id } : {};
}
