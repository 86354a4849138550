import type * as endpoints from '../../../hosting/endpoints/ip-addresses.ts';
import { conflict } from '../api-error.ts';
import type { Account } from '../state/account.ts';
import type { IpResources } from '../state/ip-resources.ts';
import type { PartHandlers } from './handler.ts';

function attach<Id extends string | number>(
  { vps }: Account,
  resources: IpResources<Id>,
  { id, vpsName }: { id: string | number; vpsName: string },
) {
  const resource = resources.get(id);
  const { vps_name } = vps.get(vpsName);
  if (resource.vps_name) throw conflict(`${resource.address} is already attached to ${resource.vps_name}.`);
  resource.vps_name = vps_name;
  return { ...resource };
}

function detach<Id extends string | number>(resources: IpResources<Id>, id: string | number) {
  const resource = resources.get(id);
  if (!resource.vps_name) throw conflict(`${resource.address} is not attached to a VPS.`);
  resource.vps_name = null;
  return { ...resource };
}

export const ipAddressHandlers: PartHandlers<typeof endpoints> = {
  listIpv4Addresses: ({ account, page }) => ({ ipv4: page(account.ipv4.all()) }),
  listIpv6Addresses: ({ account, page }) => ({ ipv6: page(account.ipv6.all()) }),

  attachIpv4Address: ({ account, params, body }) =>
    attach(account, account.ipv4, { id: params.id, vpsName: body.vps_name }),
  detachIpv4Address: ({ account, params }) => detach(account.ipv4, params.id),

  attachIpv6Address: ({ account, params, body }) =>
    attach(account, account.ipv6, { id: params.id, vpsName: body.vps_name }),
  detachIpv6Address: ({ account, params }) => detach(account.ipv6, params.id),
};
