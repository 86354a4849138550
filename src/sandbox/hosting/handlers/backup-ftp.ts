import type * as endpoints from '../../../hosting/endpoints/backup-ftp.ts';
import { conflict } from '../api-error.ts';
import { createFtpCredentials } from '../state/backup-ftp.ts';
import type { Vps } from '../state/vps.ts';
import type { PartHandlers } from './handler.ts';

function describe({ vps_name, backupFtp: { credentials, quota_gb, used_gb } }: Vps) {
  return { vps_name, state: credentials ? 'active' : 'inactive', quota_gb, used_gb, credentials };
}

/** Handlers for the backup FTP spaces. A space is active while it has credentials. */
export const backupFtpHandlers: PartHandlers<typeof endpoints> = {
  getBackupFtp: ({ account, params }) => describe(account.vps.get(params.vps_name)),

  setBackupFtp({ account, params, body }) {
    const machine = account.vps.get(params.vps_name);
    const { backupFtp, vps_name } = machine;
    if (body.enabled) {
      backupFtp.credentials ??= createFtpCredentials(vps_name, account.random);
    } else {
      backupFtp.credentials = null;
      backupFtp.used_gb = 0;
    }
    return describe(machine);
  },

  regenerateBackupFtp({ account, params }) {
    const machine = account.vps.get(params.vps_name);
    const { backupFtp, vps_name } = machine;
    if (!backupFtp.credentials) throw conflict(`The backup FTP space of ${vps_name} is inactive.`);
    backupFtp.credentials = createFtpCredentials(vps_name, account.random);
    return describe(machine);
  },
};
