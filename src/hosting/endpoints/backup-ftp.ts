import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { vpsName } from './fields.ts';

export const getBackupFtp = defineEndpoint({
  summary: 'Backup FTP space of a VPS: state, quota and credentials',
  method: 'GET',
  path: '/v1/vps/{vps_name}/backup-ftp',
  permission: 'vps.read',
  params: { vps_name: vpsName },
  hasCredentials: true,
});

export const setBackupFtp = defineEndpoint({
  summary: 'Enable or disable the backup FTP space of a VPS',
  method: 'PATCH',
  path: '/v1/vps/{vps_name}/backup-ftp',
  permission: 'vps.manage',
  effect: 'disrupt',
  params: { vps_name: vpsName },
  body: { enabled: z.boolean() },
  hasCredentials: true,
});

export const regenerateBackupFtp = defineEndpoint({
  summary: 'Regenerate the backup FTP credentials of a VPS',
  method: 'POST',
  path: '/v1/vps/{vps_name}/backup-ftp/regenerate',
  permission: 'vps.manage',
  effect: 'destroy',
  params: { vps_name: vpsName },
  hasCredentials: true,
});
