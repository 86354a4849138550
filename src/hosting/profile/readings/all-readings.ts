import { liveReadings, seriesReadings } from './metric-readings.ts';
import type { Reading, ReadingEndpoint } from './reading.ts';
import {
  ipReadings,
  snapshotReadings,
  sshReadings,
  systemReadings,
  vlanReadings,
} from './resource-readings.ts';
import { backupReadings, balancerReadings, domainReadings, portReadings } from './service-readings.ts';
import { vpsReadings } from './vps-readings.ts';

/** Every fact that Rackhand looks for in a service's payloads. */
export const allReadings: readonly Reading[] = [
  vpsReadings,
  liveReadings,
  seriesReadings,
  snapshotReadings,
  vlanReadings,
  ipReadings.vps,
  ipReadings.account,
  sshReadings,
  systemReadings,
  domainReadings,
  portReadings,
  balancerReadings,
  backupReadings,
].flatMap((group): Reading[] => Object.values(group));

/** The name of an endpoint's payload, as a part of a sentence. */
export const payloadNames: Readonly<Record<ReadingEndpoint, string>> = {
  listVps: 'the list of VPS',
  getVps: 'the record of a VPS',
  getLiveMonitoring: 'live data',
  getRrdMonitoring: 'the history',
  listSnapshots: 'snapshots',
  listVlans: 'VLANs',
  listVpsIpAddresses: 'the addresses of a VPS',
  listIpv4Addresses: 'the addresses of the account',
  getReinstallOptions: 'systems to install',
  getWebgate: 'the WebGate',
  listSshMappings: 'SSH ports',
  getBackupFtp: 'the backup space',
};

const byId = new Map(allReadings.map((reading) => [reading.id, reading]));

/** Returns the reading with this ID. */
export function findReading(id: string): Reading | undefined {
  return byId.get(id);
}

/** Returns the readings of an endpoint. */
export function listReadings(endpoint: ReadingEndpoint): readonly Reading[] {
  return allReadings.filter((reading) => reading.endpoint === endpoint);
}
