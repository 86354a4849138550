import { readBackupFtp } from '../../../src/hosting/payloads/backup-ftp.ts';
import { type RrdSeries, readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import { type IpResource, readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import {
  accountAddressValues,
  backupValues,
  balancerValues,
  domainValues,
  type KnownValue,
  listValues,
  liveValues,
  type PayloadEndpoint,
  portValues,
  seriesValues,
  snapshotValues,
  sshValues,
  systemValues,
  vlanValues,
  vpsAddressValues,
  vpsValues,
} from '../../../src/hosting/payloads/known-values.ts';
import { readLiveMetrics, toLiveField } from '../../../src/hosting/payloads/live-metrics.ts';
import { readReinstallOptions } from '../../../src/hosting/payloads/reinstall-options.ts';
import { readSnapshots } from '../../../src/hosting/payloads/snapshots.ts';
import { readSshMappings } from '../../../src/hosting/payloads/ssh-mappings.ts';
import { readVlans } from '../../../src/hosting/payloads/vlans.ts';
import { readVps, readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { type LoadBalancer, readWebgate } from '../../../src/hosting/payloads/webgate.ts';

type Scalar = string | number | boolean;

/**
 * What a payload has for a known value: one value, the names of a list's entries, or one value per
 * entry by name. A series is summarized by its first time, number of measurements and last measurement.
 */
export type PayloadValue = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>;

type Rows = readonly (readonly [known: KnownValue, value: PayloadValue | undefined])[];

/** Returns what a payload has for the known values of its endpoint, by their IDs. */
export function readPayloadValues(
  endpoint: PayloadEndpoint,
  data: unknown,
  vpsName: string,
): ReadonlyMap<string, PayloadValue> {
  const rows = readers[endpoint](data, vpsName);
  return new Map(
    rows.flatMap(([{ id }, value]) =>
      value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[id, value]],
    ),
  );
}

const readers: Readonly<Record<PayloadEndpoint, (data: unknown, vpsName: string) => Rows>> = {
  listVps: (data) =>
    describe(readVpsList(data).vps, listValues.names, ({ name }) => name, [
      [listValues.hostname, ({ aliases }) => aliases.full[0]],
      [listValues.listState, ({ state }) => state],
    ]),
  getVps: (data, vpsName) => [[vpsValues.state, readVps(data, vpsName).state]],
  getLiveMonitoring(data, vpsName) {
    const live: Readonly<Record<string, unknown>> = { ...readLiveMetrics(data, vpsName) };
    const names = Object.keys(liveValues) as (keyof typeof liveValues)[];
    return names.map((name) => [liveValues[name], live[toLiveField(name)] as PayloadValue | undefined]);
  },
  getRrdMonitoring(data, vpsName) {
    const { series } = readRrdHistory(data, vpsName);
    return Object.entries(seriesValues).map(([name, known]) => [
      known,
      summarize(series.find(({ metric }) => metric === name)),
    ]);
  },
  listSnapshots: (data) =>
    describe(readSnapshots(data).snapshots, snapshotValues.name, ({ name }) => name, [
      [snapshotValues.time, ({ createdAtMs }) => createdAtMs && formatIsoTime(createdAtMs)],
      [snapshotValues.size, ({ sizeBytes }) => sizeBytes],
      [snapshotValues.state, ({ state }) => state],
    ]),
  listVlans(data) {
    const { vlans, vpsIp } = readVlans(data);
    const rows = describe(vlans, vlanValues.id, ({ id }) => id, [
      [vlanValues.name, ({ name }) => name],
      [vlanValues.range, ({ ipRange }) => ipRange],
      [vlanValues.attached, ({ isAttached }) => isAttached],
    ]);
    return [...rows, [vlanValues.ip, vpsIp ?? undefined]];
  },
  listVpsIpAddresses: (data) =>
    describe(readIpResources(data).resources, vpsAddressValues.address, toAddress, [
      [vpsAddressValues.id, ({ id }) => id],
    ]),
  listIpv4Addresses: (data) =>
    describe(readIpResources(data, 'ipv4').resources, accountAddressValues.accountAddress, toAddress, [
      [accountAddressValues.accountId, ({ id }) => id],
      [accountAddressValues.free, ({ isAttached }) => (isAttached === undefined ? undefined : !isAttached)],
    ]),
  getReinstallOptions(data) {
    const { operatingSystems, deliveries } = readReinstallOptions(data);
    const rows = describe(operatingSystems, systemValues.id, ({ os }) => os, [
      [systemValues.label, ({ label }) => label],
    ]);
    return [...rows, [systemValues.delivery, deliveries]];
  },
  getWebgate(data) {
    const { domains, ports, loadBalancers } = readWebgate(data);
    return [
      ...describe(domains, domainValues.name, ({ domainName }) => domainName, [
        [domainValues.vps, ({ vpsName }) => vpsName],
      ]),
      ...describe(ports, portValues.external, ({ externalPort }) => String(externalPort), [
        [portValues.vps, ({ vpsName }) => vpsName],
        [portValues.target, ({ targetPort }) => targetPort],
        [portValues.protocol, ({ protocol }) => protocol],
      ]),
      ...describe(loadBalancers, balancerValues.domain, ({ domainName }) => domainName, [
        [balancerValues.mode, ({ mode }) => mode],
        [balancerValues.sticky, ({ stickyMode }) => stickyMode],
        [balancerValues.backends, formatBackends],
      ]),
    ];
  },
  listSshMappings: (data) =>
    describe(readSshMappings(data).mappings, sshValues.vps, ({ vpsName }) => vpsName, [
      [sshValues.port, ({ port }) => port],
      [sshValues.externalPort, ({ externalPort }) => externalPort],
      [sshValues.host, ({ host }) => host],
    ]),
  getBackupFtp(data) {
    const { isActive, quotaBytes, usedBytes, credentials } = readBackupFtp(data);
    return [
      [backupValues.active, isActive],
      [backupValues.quota, quotaBytes],
      [backupValues.used, usedBytes],
      [backupValues.credentials, credentials.map(({ value }) => value)],
    ];
  },
};

/** Returns the names of a list's entries, and their other values by name. */
function describe<One>(
  entries: readonly One[],
  named: KnownValue,
  toName: (entry: One) => string | undefined,
  others: readonly (readonly [KnownValue, (entry: One) => Scalar | undefined])[],
): Rows {
  const byName = (toValue: (entry: One) => Scalar | undefined) => {
    const found = entries.flatMap((entry): [string, Scalar][] => {
      const [name, value] = [toName(entry), toValue(entry)];
      return name === undefined || value === undefined ? [] : [[name, value]];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  };
  return [
    [named, entries.flatMap((entry) => toName(entry) ?? [])],
    ...others.map(([known, toValue]) => [known, byName(toValue)] as const),
  ];
}

function toAddress({ address, id }: IpResource): string | undefined {
  return address ?? id;
}

function formatBackends({ backends }: LoadBalancer): string | undefined {
  const known = backends.filter(({ vpsName }) => vpsName !== undefined);
  const texts = known.map(({ vpsName, targetPort }) => `${vpsName}:${targetPort ?? '?'}`);
  return texts.join(', ') || undefined;
}

function summarize(series: RrdSeries | undefined): PayloadValue | undefined {
  const measured = (series?.points ?? []).flatMap(({ timeMs, value }) =>
    value === null ? [] : [{ timeMs, value }],
  );
  const [first, last] = [measured[0], measured.at(-1)];
  return first && last && { from: formatIsoTime(first.timeMs), count: measured.length, last: last.value };
}

/** Formats a time as ISO 8601 in UTC, without ms. */
function formatIsoTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
