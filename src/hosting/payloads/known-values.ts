import type { EndpointName } from '../endpoints/contract.ts';
import { type Dimension, maxUptimeS } from './quantity.ts';
import { words } from './record.ts';

/** The names of payloads with known values, by endpoint, for use in a sentence. */
export const payloadNames = {
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
} as const satisfies Partial<Record<EndpointName, string>>;

/** The GET endpoints whose payloads contain known values. */
export type PayloadEndpoint = keyof typeof payloadNames;

/**
 * How a field's content is read. `state` and `vps` have their own lists of field names. `names` means the names
 * of a list's entries.
 */
type ValueType =
  | 'text'
  | 'names'
  | 'number'
  | 'time'
  | 'flag'
  | 'state'
  | 'vps'
  | 'address'
  | 'range'
  | 'series';

/** A value that Rackhand looks for in a service's payloads. */
export interface KnownValue {
  /** The ID as people type it, such as `live.cpu`. */
  readonly id: string;
  readonly label: string;
  readonly endpoint: PayloadEndpoint;
  readonly type: ValueType;
  /** Normalized names of fields that can contain the value, most likely first. */
  readonly fields: readonly string[];
  /** The unit that Rackhand uses. The payload must name its own unit. */
  readonly unit?: Dimension;
  /** Range of plausible numbers. Numbers outside are ignored. */
  readonly plausible?: { readonly min: number; readonly max: number };
  /** Set if examples must not be shown. */
  readonly isSecret?: boolean;
  /** Set if the value has no field of its own, because it's derived from several fields or from a missing one. */
  readonly isDerived?: boolean;
}

type Traits = Partial<Pick<KnownValue, 'unit' | 'plausible' | 'isSecret' | 'isDerived'>>;
/** A row in the table: label, type, field names, and other traits. */
type Row = readonly [label: string, type: ValueType, fields?: string, traits?: Traits];
type ValuesOf<Name extends string> = Readonly<Record<Name, KnownValue>>;

function defineValues<Name extends string>(
  endpoint: PayloadEndpoint,
  prefix: string,
  rows: Readonly<Record<Name, Row>>,
): ValuesOf<Name> {
  const values = Object.entries<Row>(rows).map(([name, [label, type, fields = '', traits]]) => {
    const id = `${prefix}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    return [name, { id, label, endpoint, type, fields: words(fields), ...traits }];
  });
  return Object.fromEntries(values) as ValuesOf<Name>;
}

/** Maximum share. Rounding and measuring errors can make a share exceed 1 by this little. */
export const maxShare = 1.005;
const pib = 2 ** 50;
const percent: Traits = { unit: 'percent', plausible: { min: 0, max: 100 * maxShare } };
/** CPU usage in percent. Exceeds 100% if a service adds up the usage of all cores. */
const cpuPercent: Traits = { unit: 'percent', plausible: { min: 0, max: 100 * 1_024 } };
/** Used amounts. 0 means that the service can't look into the VPS. */
const used: Traits = { unit: 'bytes', plausible: { min: 1, max: pib } };
const size: Traits = { unit: 'bytes', plausible: { min: 2 ** 20, max: pib } };
const counter: Traits = { unit: 'bytes', plausible: { min: 0, max: 2 ** 60 } };
const rate: Traits = { unit: 'bytesPerSecond', plausible: { min: 0, max: 2 ** 37 } };
const port: Traits = { plausible: { min: 1, max: 65_535 } };

/** The metrics. Their field names are in `field-words.ts`. */
const metrics = {
  cpu: ['CPU', cpuPercent],
  memory: ['memory', percent],
  memoryUsed: ['memory used', used],
  memoryTotal: ['memory size', size],
  disk: ['disk', percent],
  diskUsed: ['disk used', used],
  diskTotal: ['disk size', size],
  networkIn: ['network in', rate],
  networkOut: ['network out', rate],
  diskRead: ['disk read', rate],
  diskWrite: ['disk write', rate],
} as const satisfies Record<string, readonly [string, Traits]>;

/** A metric of a VPS, now or over time. */
export type RrdMetric = keyof typeof metrics;

export function formatMetric(metric: RrdMetric): string {
  const [label] = metrics[metric];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function defineMetrics(
  type: ValueType,
  toLabel: (metric: RrdMetric) => string,
): Readonly<Record<RrdMetric, Row>> {
  const names = Object.keys(metrics) as RrdMetric[];
  const rows = names.map((metric) => [metric, [toLabel(metric), type, '', metrics[metric][1]]]);
  return Object.fromEntries(rows);
}

/** Current values: the state, the uptime, and the metrics by name. */
export const liveValues = defineValues('getLiveMonitoring', 'live', {
  state: ['Live state', 'state'],
  uptime: ['Live uptime', 'number', '', { unit: 'seconds', plausible: { min: 0, max: maxUptimeS } }],
  ...defineMetrics('number', (metric) => `Live ${metrics[metric][0]}`),
});

/** Values over time, by metric. */
export const seriesValues = defineValues(
  'getRrdMonitoring',
  'rrd',
  defineMetrics('series', (metric) => `${formatMetric(metric)} history`),
);

export const listValues = defineValues('listVps', 'vps', {
  names: ['Names of the VPS', 'names', 'vpsname name vps id slug'],
  hostname: [
    'Hostname or label',
    'text',
    `hostname hostnames fqdn label displayname friendlyname customname nickname alias aliases name servername
    vmname instancename vpsname vps title dnsname`,
  ],
  listState: ['State in the list of VPS', 'state'],
});

export const vpsValues = defineValues('getVps', 'vps', { state: ['State of a VPS', 'state'] });

export const snapshotValues = defineValues('listSnapshots', 'snapshot', {
  name: [
    'Snapshot name',
    'names',
    'name snapshotname snapname snapshot title label id snapshotid uuid filename',
  ],
  time: [
    'Snapshot time',
    'time',
    `createdat created createddate creationdate creationtime createtime createdon datecreated datetimecreate
    datetimecreated createdate takenat snaptime date time timestamp`,
  ],
  size: ['Snapshot size', 'number', 'size disksize usedsize used snapshotsize totalsize', used],
  state: ['Snapshot state', 'state'],
});

export const vlanValues = defineValues('listVlans', 'vlan', {
  id: ['VLAN ID', 'names', 'id vlanid uuid identifier tag vid privatenetworkid name'],
  name: ['VLAN name', 'text', 'name vlanname label title description'],
  range: [
    'VLAN IP range',
    'range',
    'iprange range cidr subnet subnetv4 subnetv6 network prefix ipv4range ipv6range',
  ],
  attached: ['VLAN attached', 'flag', 'attached isattached associated isassociated connected assigned'],
  ip: ['VLAN IP of the VPS', 'text', '', { isDerived: true }],
});

const addressFields = `address ipaddress ip ipaddr addr floatingip floatingipaddress publicip ipv4address
  ipv6address ipv4 ipv6 v4 v6 cidr prefix value`;
const addressIdFields = 'id ipid vipid ipv4id ipv6id addressid identifier uuid';

export const vpsAddressValues = defineValues('listVpsIpAddresses', 'ip', {
  address: ['IP address of a VPS', 'address', addressFields],
  id: ['ID of an IP address of a VPS', 'text', addressIdFields],
});

export const accountAddressValues = defineValues('listIpv4Addresses', 'ip', {
  accountAddress: ['IP address of the account', 'address', addressFields],
  accountId: ['ID of an IP address of the account', 'text', addressIdFields],
  free: ['Whether an IP address is free', 'flag', '', { isDerived: true }],
});

export const sshValues = defineValues('listSshMappings', 'ssh', {
  vps: ['VPS of an SSH port', 'vps'],
  port: [
    'SSH port of a VPS',
    'number',
    `portvpsssh vpssshport internalsshport internalport portinternal targetport privateport backendport vpsport
    guestport destport destinationport`,
    port,
  ],
  externalPort: [
    'SSH proxy port',
    'number',
    'externalport portexternal externalsshport proxyport publicport sshproxyport listenport sourceport',
    port,
  ],
  host: [
    'SSH proxy host',
    'text',
    'proxyhost proxyhostname proxyaddress proxyip proxy sshhost publichost externalhost endpoint host address',
  ],
});

export const systemValues = defineValues('getReinstallOptions', 'os', {
  id: [
    'ID of a system',
    'names',
    'osid id blueprintid slug identifier code key value template templateid imageid volid uuid os name',
  ],
  label: [
    'Name of a system',
    'text',
    'label title displayname prettyname fullname displaytext name alias osname description text',
  ],
  delivery: ['Ways to deliver a password', 'names', '', { isDerived: true }],
});

/** Names of fields with a domain, most likely first. */
const domainFields = 'domainname domain fqdn dnsname hostname host name';

export const domainValues = defineValues('getWebgate', 'domain', {
  name: ['Domain', 'names', domainFields],
  vps: ['VPS of a domain', 'vps'],
});

export const portValues = defineValues('getWebgate', 'port', {
  external: [
    'Dedicated port',
    'number',
    'externalport publicport dedicatedport listenport external sourceport',
    port,
  ],
  vps: ['VPS of a dedicated port', 'vps'],
  target: [
    'Target of a dedicated port',
    'number',
    'targetport internalport privateport backendport vpsport internal target port',
    port,
  ],
  protocol: ['Protocol of a dedicated port', 'text', 'protocol proto'],
});

export const balancerValues = defineValues('getWebgate', 'balancer', {
  domain: ['Load balancer', 'names', domainFields],
  mode: ['Load balancer mode', 'text', 'mode algorithm balancing balance method'],
  sticky: ['Load balancer stickiness', 'text', 'stickymode sticky stickiness persistence'],
  backends: [
    'VPS behind a load balancer',
    'text',
    'backends backend members pool targets servers nodes',
    { isDerived: true },
  ],
});

export const backupValues = defineValues('getBackupFtp', 'backup', {
  active: ['Backup space active', 'flag', 'active enabled isactive isenabled activated state status'],
  quota: [
    'Backup space quota',
    'number',
    `quota limit total size max maximum capacity quotatotal quotasize quotalimit quotamax totalsize maxsize
    sizelimit sizetotal`,
    counter,
  ],
  used: ['Backup space used', 'number', 'used usage usedspace spaceused quotaused usedquota', counter],
  credentials: ['Backup space credentials', 'names', '', { isSecret: true }],
});

/** Every value that Rackhand looks for in a service's payloads. */
export const knownValues: readonly KnownValue[] = [
  ...[listValues, vpsValues, liveValues, seriesValues, snapshotValues, vlanValues, vpsAddressValues],
  ...[accountAddressValues, sshValues, systemValues, domainValues, portValues, balancerValues, backupValues],
].flatMap((group): KnownValue[] => Object.values(group));

const byId = new Map(knownValues.map((value) => [value.id, value]));

export function findKnownValue(id: string): KnownValue | undefined {
  return byId.get(id);
}

export function isPlausible({ plausible }: KnownValue, number: number): boolean {
  return Number.isFinite(number) && (!plausible || (number >= plausible.min && number <= plausible.max));
}

/** Returns whether a person can choose a value's field. */
export function isSettable({ isSecret, isDerived }: KnownValue): boolean {
  return !isSecret && !isDerived;
}
