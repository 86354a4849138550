import type { Handlers } from './handler.ts';
import { backupFtpHandlers } from './handlers/backup-ftp.ts';
import { ipAddressHandlers } from './handlers/ip-addresses.ts';
import { monitoringHandlers } from './handlers/monitoring.ts';
import { proxySshHandlers } from './handlers/proxy-ssh.ts';
import { snapshotHandlers } from './handlers/snapshots.ts';
import { systemHandlers } from './handlers/system.ts';
import { vlanHandlers } from './handlers/vlan.ts';
import { vpsHandlers } from './handlers/vps.ts';
import { webgateHandlers } from './handlers/webgate.ts';

/** Answers every route of the contract. */
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
