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
 * Every route of the hosting service's API, by name. The API document specifies 33 of them, but not the
 * paths of the other 5, which are IP routes.
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

/** Configured paths, by setting name, for routes whose path the API document doesn't specify. */
export type PathOverrides = Readonly<Record<string, string | undefined>>;

/** Returns a route's path. A setting can replace a path that the API document doesn't specify. */
export function resolvePath(endpoint: Endpoint, pathOverrides: PathOverrides): string {
  return (endpoint.pathSetting && pathOverrides[endpoint.pathSetting]) || endpoint.path;
}
