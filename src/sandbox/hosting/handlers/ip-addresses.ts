import type * as endpoints from '../../../hosting/endpoints/ip-addresses.ts';
import type { HandlersOf } from '../handler.ts';
import { conflict } from '../refusal.ts';
import type { Account } from '../state/account.ts';
import type { IpResources } from '../state/ip-resources.ts';

function attach<Id extends string | number>(
  { machines }: Account,
  resources: IpResources<Id>,
  { id, vpsName }: { id: string | number; vpsName: string },
) {
  const resource = resources.get(id);
  const { vps_name } = machines.get(vpsName);
  if (resource.vps_name) throw conflict(`${resource.address} is already attached to ${resource.vps_name}.`);
  resource.vps_name = vps_name;
  return { ...resource };
}

function detach<Id extends string | number>(
  resources: IpResources<Id>,
  { id, vpsName }: { id: string | number; vpsName: string | undefined },
) {
  const resource = resources.get(id);
  if (!resource.vps_name) throw conflict(`${resource.address} is not attached to a VPS.`);
  if (vpsName && vpsName !== resource.vps_name) {
    throw conflict(`${resource.address} is attached to ${resource.vps_name}, not to ${vpsName}.`);
  }
  resource.vps_name = null;
  return { ...resource };
}

/** Answers for the IPv4 and IPv6 resources. */
export const ipAddressHandlers: HandlersOf<typeof endpoints> = {
  listIpv4Addresses: ({ account }) => ({ ipv4: account.ipv4.all() }),
  listIpv6Addresses: ({ account }) => ({ ipv6: account.ipv6.all() }),

  attachIpv4Address: ({ account, params, body }) =>
    attach(account, account.ipv4, { id: params.id, vpsName: body.vps_name }),
  detachIpv4Address: ({ account, params, body }) =>
    detach(account.ipv4, { id: params.id, vpsName: body.vps_name }),

  attachIpv6Address: ({ account, params, body }) =>
    attach(account, account.ipv6, { id: params.id, vpsName: body.vps_name }),
  detachIpv6Address: ({ account, params, body }) =>
    detach(account.ipv6, { id: params.id, vpsName: body.vps_name }),
};
