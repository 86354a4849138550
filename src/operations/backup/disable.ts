import { setBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/payloads/backup-ftp.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatBackupSpace, readBackupSpaceState } from './backup-space.ts';

export const backupDisable = defineChange({
  name: 'backup disable',
  heading: 'Disable backup space',
  summary: 'Disable the backup FTP space of a VPS',
  arguments: { vps: vpsArgument() },
  endpoint: setBackupFtp,
  // The API document doesn't say what happens to the stored files.
  effect: 'destroy',
  button: 'Disable',
  warning:
    "The backup credentials stop working. The backups may be lost too; the hosting service doesn't say.",
  title: ({ vps }) => `Disable backup space for ${vps}`,
  target: ({ vps }) => vps,
  readTargetState: ({ read }, { vps }) => readBackupSpaceState(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { enabled: false } }),
  outcome: (data, { vps }) => ({
    title: `Backup space is disabled for ${vps}`,
    ...formatBackupSpace(readBackupFtp(data, vps)),
    next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
  }),
});
