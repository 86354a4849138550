import { regenerateBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/readings/backup-ftp.ts';
import { vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { describeBackupFtp, presentBackupFtp } from './describe.ts';

export const regenerateBackup = defineChange({
  name: 'backup regenerate',
  heading: 'New FTP credentials',
  summary: 'Make new credentials for the backup FTP space of a VPS',
  arguments: { vps: vpsArgument() },
  change: regenerateBackupFtp,
  button: 'Regenerate',
  warning: 'The credentials that are used now stop working: backup jobs fail until they have the new ones.',
  title: ({ vps }) => `Make new backup credentials for ${vps}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) => presentBackupFtp(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps } }),
  outcome: (data, { vps }) => ({
    title: `The backup space of ${vps} has new credentials`,
    ...describeBackupFtp(readBackupFtp(data)),
    next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
  }),
});
