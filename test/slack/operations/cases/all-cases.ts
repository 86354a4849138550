import type { OperationCase } from '../operation-case.ts';
import { accountCases } from './account.ts';
import { backupCases } from './backup.ts';
import { ipCases } from './ip.ts';
import { monitoringCases } from './monitoring.ts';
import { snapshotCases } from './snapshot.ts';
import { sshCases } from './ssh.ts';
import { vlanCases } from './vlan.ts';
import { vpsCases } from './vps.ts';
import { webgateCases } from './webgate.ts';

/** The cases of all operations, by the folder of the operations. */
export const allCases: Readonly<Record<string, readonly OperationCase[]>> = {
  account: accountCases,
  vps: vpsCases,
  monitoring: monitoringCases,
  backup: backupCases,
  ip: ipCases,
  snapshot: snapshotCases,
  ssh: sshCases,
  vlan: vlanCases,
  webgate: webgateCases,
};
