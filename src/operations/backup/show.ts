import { getBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { type BackupFtp, readBackupFtp } from '../../hosting/payloads/backup-ftp.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { NextStep } from '../define/outcome.ts';
import { limitFacts, moreArgument } from '../format/facts.ts';
import { labelSecrets } from '../format/label-secrets.ts';
import { listBackupFacts } from './backup-space.ts';

export const backupShow = defineRead({
  name: 'backup show',
  heading: 'Show backup space',
  summary: 'Show the backup FTP space of a VPS; only you see its credentials',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [getBackupFtp],
  async run({ read }, { vps, more }) {
    const reading = readBackupFtp(await read(getBackupFtp, { params: { vps_name: vps } }), vps);
    const step = { operation: 'backup show', input: { vps }, more };
    const { facts, next } = limitFacts(listBackupFacts(reading), step);
    return {
      title: `Backup space of ${vps}`,
      facts,
      secrets: labelSecrets(reading.secrets),
      next: [...nextSteps(vps, reading), ...next],
    };
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
