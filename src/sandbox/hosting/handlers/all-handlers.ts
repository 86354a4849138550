import { backupFtpHandlers } from './backup-ftp.ts';
import type { Handlers } from './handler.ts';
import { ipAddressHandlers } from './ip-addresses.ts';
import { monitoringHandlers } from './monitoring.ts';
import { proxySshHandlers } from './proxy-ssh.ts';
import { snapshotHandlers } from './snapshots.ts';
import { systemHandlers } from './system.ts';
import { vlanHandlers } from './vlan.ts';
import { vpsHandlers } from './vps.ts';
import { webgateHandlers } from './webgate.ts';

export const handlers: Handlers = {
  ...systemHandlers,
  ...vpsHandlers,
  ...vlanHandlers,
  ...backupFtpHandlers,
  ...monitoringHandlers,
  ...snapshotHandlers,
  ...ipAddressHandlers,
  ...webgateHandlers,
  ...proxySshHandlers,
};
