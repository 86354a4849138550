import * as backupFtp from './backup-ftp.ts';
import type { Endpoint } from './endpoint.ts';
import * as ipAddresses from './ip-addresses.ts';
import * as monitoring from './monitoring.ts';
import * as proxySsh from './proxy-ssh.ts';
import * as snapshots from './snapshots.ts';
import * as system from './system.ts';
import * as vlan from './vlans.ts';
import * as vps from './vps.ts';
import * as webgate from './webgate.ts';

/**
 * Every route of the hosting service's API by name. 33 are from its document; it leaves the 5 IP
 * routes open.
 */
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

/** Paths set for routes that the API document leaves open, by setting name. */
export type PathOverrides = Readonly<Record<string, string | undefined>>;

/** Returns the path of a route. A setting can replace it if the API document leaves it open. */
export function resolvePath(endpoint: Endpoint, pathOverrides: PathOverrides): string {
  return (endpoint.pathSetting && pathOverrides[endpoint.pathSetting]) || endpoint.path;
}
