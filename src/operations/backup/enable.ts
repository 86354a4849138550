import { setBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/readings/backup-ftp.ts';
import { vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { describeBackupFtp } from './describe.ts';

export const enableBackup = defineChange({
  name: 'backup enable',
  heading: 'Enable backup space',
  summary: 'Enable the backup FTP space of a VPS',
  arguments: { vps: vpsArgument() },
  change: setBackupFtp,
  // To enable only adds; the endpoint can disable, too.
  effect: 'change',
  button: 'Enable',
  title: ({ vps }) => `Enable the backup space of ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { enabled: true } }),
  outcome: (data, { vps }) => ({
    title: `The backup space of ${vps} is enabled`,
    ...describeBackupFtp(readBackupFtp(data)),
    next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
  }),
});
