import { regenerateBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/payloads/backup-ftp.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatBackupSpace, readBackupSpaceState } from './backup-space.ts';

export const backupRegenerate = defineChange({
  name: 'backup regenerate',
  heading: 'New FTP credentials',
  summary: 'Regenerate the backup FTP credentials of a VPS',
  arguments: { vps: vpsArgument() },
  endpoint: regenerateBackupFtp,
  button: 'Regenerate',
  warning: 'The current credentials stop working. Backup jobs fail until they get the new ones.',
  title: ({ vps }) => `Regenerate backup credentials for ${vps}`,
  target: ({ vps }) => vps,
  readTargetState: ({ read }, { vps }) => readBackupSpaceState(read, vps),
  request: ({ vps }) => ({ params: { vps_name: vps } }),
  outcome: (data, { vps }) => {
    const reading = readBackupFtp(data, vps);
    return {
      title: `New backup credentials for ${vps}`,
      ...formatBackupSpace(reading),
      notes:
        reading.secrets.length === 0
          ? [
              "The service didn't return the new credentials. To look for them in the backup space, press Show Backup Space.",
            ]
          : [],
      next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
    };
  },
});
