import { z } from 'zod';
import { cidr } from '../../hosting/endpoints/fields.ts';
import { createVlan } from '../../hosting/endpoints/vlans.ts';
import { readVlans } from '../../hosting/payloads/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { textArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { nameSchema } from '../grammar/name-schema.ts';

const ipRangeSchema = z
  .string({ error: "Give the VLAN's IP range" })
  .trim()
  .refine((range) => cidr.safeParse(range).success, {
    error: 'Give an address and a prefix length, such as 10.40.0.0/24',
  });

export const vlanCreate = defineChange({
  name: 'vlan create',
  heading: 'Create a VLAN',
  summary: 'Create a VLAN',
  isAccountWide: true,
  arguments: {
    vps: vpsArgument({ hint: "Any VPS in the account. Creating the VLAN doesn't attach the VPS." }),
    name: textArgument({ label: 'Name', example: 'backend' }, nameSchema('Give the VLAN a name')),
    ip_range: textArgument(
      {
        label: 'Range',
        example: '10.40.0.0/24',
        hint: 'In CIDR notation: network address, slash, prefix length.',
      },
      ipRangeSchema,
    ),
  },
  endpoint: createVlan,
  button: 'Create VLAN',
  title: ({ name, ip_range }) => `Create VLAN ${name} with ${ip_range}`,
  target: ({ name }) => name,
  request: ({ vps, name, ip_range }) => ({ params: { vps_name: vps }, body: { name, ip_range } }),
  outcome: (data, { vps, name }) => ({
    title: `VLAN ${name} is created`,
    ...formatResult(data, { omit: ['name'] }),
    next: [
      {
        label: 'Attach a VPS',
        operation: 'vlan attach',
        input: { vps, ...findCreatedId(data) },
        opensForm: true,
      },
      { label: 'List VLANs', operation: 'vlan list', input: { vps } },
    ],
  }),
});

/** Returns the ID of the new VLAN, which is in the payload itself or in one of its fields. */
function findCreatedId(data: unknown): { readonly vlan?: string } {
  const [created] = [...readVlans(data).vlans, ...readVlans([data]).vlans];
  return created ? { vlan: created.id } : {};
}
