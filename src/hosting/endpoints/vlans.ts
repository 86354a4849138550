import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { cidr, vpsName } from './fields.ts';

export const listVlans = defineEndpoint({
  summary: 'VLANs of the account, quotas, and the VLAN IP of a VPS',
  method: 'GET',
  path: '/v1/vps/{vps_name}/vlan',
  permission: 'vps.read',
  params: { vps_name: vpsName },
});

export const createVlan = defineEndpoint({
  summary: 'Create a VLAN',
  method: 'POST',
  path: '/v1/vps/{vps_name}/vlan',
  permission: 'vps.manage',
  effect: 'change',
  params: { vps_name: vpsName },
  body: { name: z.string().min(1), ip_range: cidr },
});

export const attachVlan = defineEndpoint({
  summary: 'Associate a VLAN IP with a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/vlan/attach',
  permission: 'vps.manage',
  effect: 'change',
  params: { vps_name: vpsName },
  body: { vlan_id: z.string().min(1) },
});

export const detachVlan = defineEndpoint({
  summary: 'End the association of a VLAN with a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/vlan/detach',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName },
  body: { vlan_id: z.string().min(1) },
});

export const deleteVlan = defineEndpoint({
  summary: 'Delete a VLAN',
  method: 'DELETE',
  path: '/v1/vps/{vps_name}/vlan/{id}',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName, id: z.string().min(1) },
});
