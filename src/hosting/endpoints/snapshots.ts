import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { vpsName } from './fields.ts';

export const listSnapshots = defineEndpoint({
  summary: 'Snapshots of a VPS',
  method: 'GET',
  path: '/v1/vps/{vps_name}/snapshots',
  permission: 'vps.read',
  params: { vps_name: vpsName },
});

export const createSnapshot = defineEndpoint({
  summary: 'Take a snapshot of a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/snapshots',
  permission: 'vps.manage',
  effect: 'change',
  params: { vps_name: vpsName },
  body: { name: z.string().min(1) },
});

export const restoreSnapshot = defineEndpoint({
  summary: 'Restore a VPS from a snapshot',
  method: 'POST',
  path: '/v1/vps/{vps_name}/snapshots/{name}/restore',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName, name: z.string().min(1) },
});

export const deleteSnapshot = defineEndpoint({
  summary: 'Delete a snapshot of a VPS',
  method: 'DELETE',
  path: '/v1/vps/{vps_name}/snapshots/{name}',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName, name: z.string().min(1) },
});
