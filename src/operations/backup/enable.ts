import { setBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { readBackupFtp } from '../../hosting/payloads/backup-ftp.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatBackupSpace } from './backup-space.ts';

export const backupEnable = defineChange({
  name: 'backup enable',
  heading: 'Enable backup space',
  summary: 'Enable the backup FTP space of a VPS',
  arguments: { vps: vpsArgument() },
  endpoint: setBackupFtp,
  // Weaker than the endpoint's own effect, because the endpoint can also disable the space. Enabling loses
  // no data.
  effect: 'change',
  button: 'Enable',
  title: ({ vps }) => `Enable backup space for ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps }) => ({ params: { vps_name: vps }, body: { enabled: true } }),
  outcome: (data, { vps }) => ({
    title: `Backup space is enabled for ${vps}`,
    ...formatBackupSpace(readBackupFtp(data, vps)),
    next: [{ label: 'Show Backup Space', operation: 'backup show', input: { vps } }],
  }),
});
