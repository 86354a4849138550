import type { Endpoint } from './endpoint.ts';
import * as backupFtp from './endpoints/backup-ftp.ts';
import * as ipAddresses from './endpoints/ip-addresses.ts';
import * as monitoring from './endpoints/monitoring.ts';
import * as proxySsh from './endpoints/proxy-ssh.ts';
import * as snapshots from './endpoints/snapshots.ts';
import * as system from './endpoints/system.ts';
import * as vlan from './endpoints/vlan.ts';
import * as vps from './endpoints/vps.ts';
import * as webgate from './endpoints/webgate.ts';

/** Every route of the hosting service's API, by name: the 33 that its document shows and the 5 IP routes that it leaves open. */
export const contract = {
  ...system,
  ...vps,
  ...vlan,
  ...backupFtp,
  ...monitoring,
  ...snapshots,
  ...ipAddresses,
  ...webgate,
  ...proxySsh,
} satisfies Record<string, Endpoint>;

export type Contract = typeof contract;

export type EndpointName = keyof Contract;

/** Paths that replace those of routes which the API document leaves open, by the name of their setting. */
export type OpenPaths = Readonly<Record<string, string | undefined>>;

/** Tells where a route really is: its own path, or the one that a setting gives an open route. */
export function pathOf(endpoint: Endpoint, openPaths: OpenPaths): string {
  return (endpoint.openPath && openPaths[endpoint.openPath]) || endpoint.path;
}
