import { setBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/readings/backup-ftp.ts';
import { vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { describeBackupFtp, presentBackupFtp } from './describe.ts';

export const disableBackup = defineChange({
  name: 'backup disable',
  heading: 'Disable backup space',
  summary: 'Disable the backup FTP space of a VPS',
  arguments: { vps: vpsArgument() },
  change: setBackupFtp,
  // The API document does not show what becomes of what is kept there.
  effect: 'destroy',
  button: 'Disable',
  warning: 'Its credentials stop working, and the backups in it may be lost: the service does not say.',
  title: ({ vps }) => `Disable the backup space of ${vps}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) => presentBackupFtp(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { enabled: false } }),
  outcome: (data, { vps }) => ({
    title: `The backup space of ${vps} is disabled`,
    ...describeBackupFtp(readBackupFtp(data)),
    next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
  }),
});
