import { readRrdHistory } from '../metrics/history/rrd-history.ts';
import type { RrdSeries } from '../metrics/history/rrd-series.ts';
import { readLiveMetrics } from '../metrics/live/live-metrics.ts';
import { liveReadings, seriesReadings } from '../readings/metric-readings.ts';
import type { Reading, ReadingEndpoint } from '../readings/reading.ts';
import {
  ipReadings,
  snapshotReadings,
  sshReadings,
  systemReadings,
  vlanReadings,
} from '../readings/resource-readings.ts';
import {
  backupReadings,
  balancerReadings,
  domainReadings,
  portReadings,
} from '../readings/service-readings.ts';
import { vpsReadings } from '../readings/vps-readings.ts';
import { type IpResource, readIpResources } from '../resources/network/ip-resources.ts';
import { readSshMappings } from '../resources/network/ssh-mappings.ts';
import { readVlans } from '../resources/network/vlans.ts';
import { type DedicatedPort, type LoadBalancer, readWebgate } from '../resources/network/webgate.ts';
import { readBackupFtp } from '../resources/vps/backup-ftp.ts';
import { readReinstallOptions } from '../resources/vps/reinstall-options.ts';
import { readSnapshots } from '../resources/vps/snapshots.ts';
import { readVps, readVpsList } from '../resources/vps/vps.ts';

type Scalar = string | number | boolean;

/**
 * The value of a reading: one value, the names of a list's entries, or one value per entry by
 * name. A series is summarized by its first time, number of measurements and last measurement.
 */
export type ReadingValue = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>;

type Facts = readonly (readonly [reading: Reading, value: ReadingValue | undefined])[];

/** Returns the values that the readings of an endpoint find in a payload, by their IDs. */
export function readFacts(
  endpoint: ReadingEndpoint,
  data: unknown,
  vpsName: string,
): ReadonlyMap<string, ReadingValue> {
  const facts = readers[endpoint](data, vpsName);
  return new Map(
    facts.flatMap(([{ id }, value]) => (value === undefined || isEmptyList(value) ? [] : [[id, value]])),
  );
}

/** Returns the value that a reading finds in a payload. */
export function readFact(reading: Reading, data: unknown, vpsName: string): ReadingValue | undefined {
  return readFacts(reading.endpoint, data, vpsName).get(reading.id);
}

const readers: Readonly<Record<ReadingEndpoint, (data: unknown, vpsName: string) => Facts>> = {
  listVps(data) {
    const { vps } = readVpsList(data);
    const by = byName(vps, ({ name }) => name);
    return [
      [vpsReadings.names, vps.map(({ name }) => name)],
      [vpsReadings.hostname, by(({ aliases }) => aliases.full[0])],
      [vpsReadings.listState, by(({ state }) => state)],
    ];
  },
  getVps: (data, vpsName) => [[vpsReadings.state, readVps(data, vpsName).state]],
  getLiveMonitoring(data, vpsName) {
    const live = readLiveMetrics(data, vpsName);
    const fields = Object.keys(liveReadings) as (keyof typeof liveReadings)[];
    return fields.map((field) => [liveReadings[field], live[field]]);
  },
  getRrdMonitoring(data, vpsName) {
    const { series } = readRrdHistory(data, vpsName);
    return Object.entries(seriesReadings).map(([metric, reading]) => [
      reading,
      summarizeSeries(series.find((each) => each.metric === metric)),
    ]);
  },
  listSnapshots(data) {
    const { snapshots } = readSnapshots(data);
    const by = byName(snapshots, ({ name }) => name);
    return [
      [snapshotReadings.name, snapshots.map(({ name }) => name)],
      [snapshotReadings.time, by(({ createdAtMs }) => createdAtMs && formatIsoTime(createdAtMs))],
      [snapshotReadings.size, by(({ sizeBytes }) => sizeBytes)],
      [snapshotReadings.state, by(({ state }) => state)],
    ];
  },
  listVlans(data, vpsName) {
    const { vlans, vpsIp } = readVlans(data, vpsName);
    const by = byName(vlans, ({ id }) => id);
    return [
      [vlanReadings.id, vlans.map(({ id }) => id)],
      [vlanReadings.name, by(({ name }) => name)],
      [vlanReadings.range, by(({ ipRange }) => ipRange)],
      [vlanReadings.attached, by(({ isAttached }) => isAttached)],
      [vlanReadings.ip, vpsIp ?? undefined],
    ];
  },
  listVpsIpAddresses: (data) => listAddressFacts(ipReadings.vps, readIpResources(data).resources),
  listIpv4Addresses(data) {
    const { resources } = readIpResources(data, 'ipv4');
    const by = byName(resources, addressOf);
    return [
      ...listAddressFacts(ipReadings.account, resources),
      [ipReadings.account.free, by(({ isAttached }) => (isAttached === undefined ? undefined : !isAttached))],
    ];
  },
  getReinstallOptions(data) {
    const { operatingSystems, deliveries } = readReinstallOptions(data);
    return [
      [systemReadings.id, operatingSystems.map(({ os }) => os)],
      [systemReadings.label, byName(operatingSystems, ({ os }) => os)(({ label }) => label)],
      [systemReadings.delivery, deliveries],
    ];
  },
  getWebgate(data) {
    const { domains, ports, loadBalancers } = readWebgate(data);
    const byPort = byName(ports, ({ externalPort }: DedicatedPort) => String(externalPort));
    const byDomain = byName(loadBalancers, ({ domainName }) => domainName);
    return [
      [domainReadings.name, domains.map(({ domainName }) => domainName)],
      [domainReadings.vps, byName(domains, ({ domainName }) => domainName)(({ vpsName }) => vpsName)],
      [portReadings.external, ports.map(({ externalPort }) => String(externalPort))],
      [portReadings.vps, byPort(({ vpsName }) => vpsName)],
      [portReadings.target, byPort(({ targetPort }) => targetPort)],
      [portReadings.protocol, byPort(({ protocol }) => protocol)],
      [balancerReadings.domain, loadBalancers.map(({ domainName }) => domainName)],
      [balancerReadings.mode, byDomain(({ mode }) => mode)],
      [balancerReadings.sticky, byDomain(({ stickyMode }) => stickyMode)],
      [balancerReadings.backends, byDomain(formatBackends)],
    ];
  },
  listSshMappings(data) {
    const { mappings } = readSshMappings(data);
    const by = byName(mappings, ({ vpsName }) => vpsName);
    return [
      [sshReadings.vps, mappings.map(({ vpsName }) => vpsName)],
      [sshReadings.port, by(({ port }) => port)],
      [sshReadings.externalPort, by(({ externalPort }) => externalPort)],
      [sshReadings.host, by(({ host }) => host)],
    ];
  },
  getBackupFtp(data) {
    const { isActive, quotaBytes, usedBytes, credentials } = readBackupFtp(data);
    return [
      [backupReadings.active, isActive],
      [backupReadings.quota, quotaBytes],
      [backupReadings.used, usedBytes],
      [backupReadings.credentials, credentials.map(({ value }) => value)],
    ];
  },
};

function listAddressFacts(
  {
    address,
    id,
  }: Pick<typeof ipReadings.vps, 'address' | 'id'> | Pick<typeof ipReadings.account, 'address' | 'id'>,
  resources: readonly IpResource[],
): Facts {
  return [
    [address, resources.flatMap((resource) => addressOf(resource) ?? [])],
    [id, byName(resources, addressOf)((resource) => resource.id)],
  ];
}

function addressOf({ address, id }: IpResource): string | undefined {
  return address ?? id;
}

function formatBackends({ backends }: LoadBalancer): string | undefined {
  return (
    backends.map(({ vpsName, targetPort }) => `${vpsName ?? '?'}:${targetPort ?? '?'}`).join(', ') ||
    undefined
  );
}

/** Returns a function that collects one value per entry, by the entry's name. */
function byName<Entry>(entries: readonly Entry[], name: (entry: Entry) => string | undefined) {
  return (value: (entry: Entry) => Scalar | undefined): Readonly<Record<string, Scalar>> | undefined => {
    const found = entries.flatMap((entry): [string, Scalar][] => {
      const [key, own] = [name(entry), value(entry)];
      return key === undefined || own === undefined ? [] : [[key, own]];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  };
}

function summarizeSeries(series: RrdSeries | undefined): ReadingValue | undefined {
  const measured = (series?.points ?? []).flatMap(({ timeMs, value }) =>
    value === null ? [] : [{ timeMs, value }],
  );
  const [first, last] = [measured[0], measured.at(-1)];
  return first && last && { from: formatIsoTime(first.timeMs), count: measured.length, last: last.value };
}

/** Returns whether a value is a list, which leaves maps among the other objects. */
export function isList(value: ReadingValue): value is readonly Scalar[] {
  return Array.isArray(value);
}

function isEmptyList(value: ReadingValue): boolean {
  return isList(value) && value.length === 0;
}

/** Formats a time as ISO 8601 in UTC, without ms. */
function formatIsoTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
