import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { vpsName } from './fields.ts';

/** The API document says only that this is an integer. */
const ipv4Id = z.coerce.number().int().nonnegative();
const ipv6Id = z.string().min(1);

export const listIpv4Addresses = defineEndpoint({
  summary: 'IPv4 resources of the account',
  method: 'GET',
  path: '/v1/services/ip-addresses/ipv4',
  pathSetting: 'HOSTING_IP_IPV4_LIST_PATH',
  permission: 'ip.read',
  params: {},
});

export const listIpv6Addresses = defineEndpoint({
  summary: 'IPv6 resources of the account',
  method: 'GET',
  path: '/v1/services/ip-addresses/ipv6',
  pathSetting: 'HOSTING_IP_IPV6_LIST_PATH',
  permission: 'ip.read',
  params: {},
});

export const attachIpv4Address = defineEndpoint({
  summary: 'Attach an IPv4 resource to a VPS',
  method: 'POST',
  path: '/v1/services/ip-addresses/ipv4/{id}/attach',
  permission: 'ip.manage',
  effect: 'change',
  params: { id: ipv4Id },
  body: { vps_name: vpsName },
});

export const detachIpv4Address = defineEndpoint({
  summary: 'Detach an IPv4 resource',
  method: 'POST',
  path: '/v1/services/ip-addresses/ipv4/{id}/detach',
  pathSetting: 'HOSTING_IP_IPV4_DETACH_PATH',
  permission: 'ip.manage',
  effect: 'destroy',
  params: { id: ipv4Id },
});

export const attachIpv6Address = defineEndpoint({
  summary: 'Attach an IPv6 resource to a VPS',
  method: 'POST',
  path: '/v1/services/ip-addresses/ipv6/{id}/attach',
  pathSetting: 'HOSTING_IP_IPV6_ATTACH_PATH',
  permission: 'ip.manage',
  effect: 'change',
  params: { id: ipv6Id },
  body: { vps_name: vpsName },
});

export const detachIpv6Address = defineEndpoint({
  summary: 'Detach an IPv6 resource',
  method: 'POST',
  path: '/v1/services/ip-addresses/ipv6/{id}/detach',
  pathSetting: 'HOSTING_IP_IPV6_DETACH_PATH',
  permission: 'ip.manage',
  effect: 'destroy',
  params: { id: ipv6Id },
});
