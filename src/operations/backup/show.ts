import { getBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/readings/backup-ftp.ts';
import { vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import type { NextStep } from '../outcome.ts';
import { describeBackupFtp } from './describe.ts';

export const showBackup = defineRead({
  name: 'backup show',
  heading: 'Show backup space',
  summary: 'Show the backup FTP space of a VPS, with its credentials for you alone',
  arguments: { vps: vpsArgument() },
  uses: [getBackupFtp],
  async run({ read }, { vps }) {
    const reading = readBackupFtp(await read(getBackupFtp, { params: { vps_name: vps } }));
    return { title: `Backup space of ${vps}`, ...describeBackupFtp(reading), next: nextSteps(vps, reading) };
  },
});

function nextSteps(vps: string, { active }: { readonly active?: boolean }): readonly NextStep[] {
  const input = { vps };
  const enable = { label: 'Enable', operation: 'backup enable', input };
  const regenerate = { label: 'New Credentials', operation: 'backup regenerate', input };
  const disable = { label: 'Disable', operation: 'backup disable', input };
  if (active === undefined) return [enable, regenerate, disable];
  return active ? [regenerate, disable] : [enable];
}
