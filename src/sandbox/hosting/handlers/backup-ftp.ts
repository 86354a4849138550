import type * as endpoints from '../../../hosting/endpoints/backup-ftp.ts';
import type { HandlersOf } from '../handler.ts';
import { conflict } from '../refusal.ts';
import { createFtpCredentials } from '../state/backup-ftp.ts';
import type { Machine } from '../state/machine.ts';

function describe({ vps_name, backupFtp: { credentials, quota_gb, used_gb } }: Machine) {
  return { vps_name, state: credentials ? 'active' : 'inactive', quota_gb, used_gb, credentials };
}

/** Answers for the backup FTP spaces: a space is active as long as it has credentials. */
export const backupFtpHandlers: HandlersOf<typeof endpoints> = {
  getBackupFtp: ({ account, params }) => describe(account.machines.get(params.vps_name)),

  setBackupFtp({ account, params, body }) {
    const machine = account.machines.get(params.vps_name);
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
    const machine = account.machines.get(params.vps_name);
    const { backupFtp, vps_name } = machine;
    if (!backupFtp.credentials) throw conflict(`The backup FTP space of ${vps_name} is inactive.`);
    backupFtp.credentials = createFtpCredentials(vps_name, account.random);
    return describe(machine);
  },
};
