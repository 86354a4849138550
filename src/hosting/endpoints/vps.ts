import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { vpsName } from './fields.ts';

export const listVps = defineEndpoint({
  summary: 'VPS of the account',
  method: 'GET',
  path: '/v1/vps',
  permission: 'vps.read',
  params: {},
});

export const getVps = defineEndpoint({
  summary: 'One VPS',
  method: 'GET',
  path: '/v1/vps/{vps_name}',
  permission: 'vps.read',
  params: { vps_name: vpsName },
});

export const listVpsIpAddresses = defineEndpoint({
  summary: 'IPv4 and IPv6 resources attached to a VPS',
  method: 'GET',
  path: '/v1/vps/{vps_name}/ip-addresses',
  permission: 'vps.read',
  params: { vps_name: vpsName },
});

export const performVpsAction = defineEndpoint({
  summary: 'Perform an action on a VPS; `reboot` is one',
  method: 'POST',
  path: '/v1/vps/{vps_name}/action',
  permission: 'vps.manage',
  effect: 'disrupt',
  params: { vps_name: vpsName },
  body: { action: z.string().min(1) },
});

export const getReinstallOptions = defineEndpoint({
  summary: 'Operating systems that a VPS can be reinstalled with, and the shape of the body to send',
  method: 'GET',
  path: '/v1/vps/{vps_name}/reinstall',
  permission: 'vps.read',
  params: { vps_name: vpsName },
});

export const reinstallVps = defineEndpoint({
  summary: 'Reinstall a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/reinstall',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName },
  body: { os: z.string().min(1), delivery: z.string().min(1) },
  // GET on the same path shows the expected shape of the body.
  takesOtherFields: true,
  hasCredentials: true,
});

export const resetRootPassword = defineEndpoint({
  summary: 'Reset the root password of a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/root-password/reset',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName },
  body: { delivery: z.string().min(1) },
  hasCredentials: true,
});
