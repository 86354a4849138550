import { getBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { type BackupFtp, readBackupFtp } from '../../hosting/profile/resources/vps/backup-ftp.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { NextStep } from '../define/outcome.ts';
import { formatBackupSpace } from './backup-space.ts';

export const backupShow = defineRead({
  name: 'backup show',
  heading: 'Show backup space',
  summary: 'Show the backup FTP space of a VPS, with its credentials only to you',
  arguments: { vps: vpsArgument() },
  endpoints: [getBackupFtp],
  async run({ read }, { vps }) {
    const reading = readBackupFtp(await read(getBackupFtp, { params: { vps_name: vps } }), vps);
    return { title: `Backup space of ${vps}`, ...formatBackupSpace(reading), next: nextSteps(vps, reading) };
  },
});

function nextSteps(vps: string, { isActive }: BackupFtp): readonly NextStep[] {
  const input = { vps };
  const enable = { label: 'Enable', operation: 'backup enable', input };
  const regenerate = { label: 'New Credentials', operation: 'backup regenerate', input };
  const disable = { label: 'Disable', operation: 'backup disable', input };
  if (isActive === undefined) return [enable, regenerate, disable];
  return isActive ? [regenerate, disable] : [enable];
}
