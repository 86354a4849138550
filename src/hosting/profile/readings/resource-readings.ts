import { type IpResource, readIpResources } from '../resources/ip-resources.ts';
import { readReinstallOptions } from '../resources/reinstall-options.ts';
import { readSnapshots, type Snapshot } from '../resources/snapshots.ts';
import { readSshMappings, type SshMapping } from '../resources/ssh-mappings.ts';
import { readVlans, type Vlan } from '../resources/vlans.ts';
import { formatIsoTime, nonEmpty, type Reading, rememberByPayload, valuesByName } from './reading.ts';

const parseSnapshots = rememberByPayload((data) => readSnapshots(data));
const parseVlans = rememberByPayload((data, vpsName) => readVlans(data, vpsName));
const parseSshMappings = rememberByPayload((data) => readSshMappings(data));
const parseReinstallOptions = rememberByPayload((data) => readReinstallOptions(data));
const parseIpv4Resources = rememberByPayload((data) => readIpResources(data, 'ipv4'));
const parseIpResources = rememberByPayload((data) => readIpResources(data));

type About = Pick<Reading, 'id' | 'label' | 'canonicalField'> & Partial<Reading>;
type EntryValue<Entry> = (entry: Entry) => string | number | boolean | undefined;

const snapshotName = ({ name }: Snapshot) => name;

function snapshotReading(about: About, value: EntryValue<Snapshot>): Reading {
  const read: Reading['read'] = (data) =>
    valuesByName(parseSnapshots(data, '').snapshots, snapshotName, value);
  return { endpoint: 'listSnapshots', type: 'text', read, ...about };
}

const snapshotReadings: readonly Reading[] = [
  {
    id: 'snapshot.name',
    label: 'Snapshot: name',
    endpoint: 'listSnapshots',
    type: 'names',
    canonicalField: 'name',
    read: (data) => nonEmpty(parseSnapshots(data, '').snapshots.map(snapshotName)),
  },
  snapshotReading(
    { id: 'snapshot.time', label: 'Snapshot: taken', type: 'time', canonicalField: 'created_at' },
    ({ createdAtMs }) => (createdAtMs === undefined ? undefined : formatIsoTime(createdAtMs)),
  ),
  snapshotReading(
    {
      id: 'snapshot.size',
      label: 'Snapshot: size',
      type: 'number',
      unit: 'bytes',
      plausible: { min: 0, max: 2 ** 60 },
      canonicalField: 'size',
      canonicalUnit: 'bytes',
    },
    ({ sizeBytes }) => sizeBytes,
  ),
  snapshotReading(
    { id: 'snapshot.state', label: 'Snapshot: state', canonicalField: 'state' },
    ({ state }) => state,
  ),
];

const vlanId = ({ id }: Vlan) => id;

function vlanReading(about: About, value: EntryValue<Vlan>): Reading {
  const read: Reading['read'] = (data, vpsName) =>
    valuesByName(parseVlans(data, vpsName).vlans, vlanId, value);
  return { endpoint: 'listVlans', type: 'text', read, ...about };
}

const vlanReadings: readonly Reading[] = [
  {
    id: 'vlan.id',
    label: 'VLAN: ID',
    endpoint: 'listVlans',
    type: 'names',
    canonicalField: 'id',
    read: (data, vpsName) => nonEmpty(parseVlans(data, vpsName).vlans.map(vlanId)),
  },
  vlanReading({ id: 'vlan.name', label: 'VLAN: name', canonicalField: 'name' }, ({ name }) => name),
  vlanReading(
    { id: 'vlan.range', label: 'VLAN: IP range', canonicalField: 'ip_range' },
    ({ ipRange }) => ipRange,
  ),
  vlanReading(
    { id: 'vlan.attached', label: 'VLAN: attached', type: 'flag', canonicalField: 'attached' },
    ({ isAttached }) => isAttached,
  ),
  {
    id: 'vlan.ip',
    label: 'VLAN IP of the VPS',
    endpoint: 'listVlans',
    type: 'text',
    canonicalField: 'vlan_ip',
    read: (data, vpsName) => parseVlans(data, vpsName).vpsIp ?? undefined,
  },
];

const ipAddress = ({ address, id }: IpResource) => address ?? id;

function ipReadings(
  endpoint: 'listVpsIpAddresses' | 'listIpv4Addresses',
  prefix: string,
): readonly Reading[] {
  const label = endpoint === 'listVpsIpAddresses' ? 'IP address of a VPS' : 'IP address of the account';
  const list = (data: unknown) =>
    (endpoint === 'listIpv4Addresses' ? parseIpv4Resources : parseIpResources)(data, '').resources;
  return [
    {
      id: `ip.${prefix}address`,
      label,
      endpoint,
      type: 'names',
      canonicalField: 'address',
      read: (data) => nonEmpty(list(data).flatMap((resource) => ipAddress(resource) ?? [])),
    },
    {
      id: `ip.${prefix}id`,
      label: `${label}: ID`,
      endpoint,
      type: 'text',
      canonicalField: 'id',
      read: (data) => valuesByName(list(data), ipAddress, ({ id }) => id),
    },
  ];
}

/** Whether an address is free. */
const freeReading: Reading = {
  id: 'ip.free',
  label: 'IP address of the account: free',
  endpoint: 'listIpv4Addresses',
  type: 'flag',
  isDerived: true,
  canonicalField: 'vps_name',
  read: (data) =>
    valuesByName(parseIpv4Resources(data, '').resources, ipAddress, ({ isAttached }) =>
      isAttached === undefined ? undefined : !isAttached,
    ),
};

function sshReading(about: About, value: EntryValue<SshMapping>): Reading {
  const read: Reading['read'] = (data) =>
    valuesByName(parseSshMappings(data, '').mappings, ({ vpsName }) => vpsName, value);
  return { endpoint: 'listSshMappings', type: 'number', read, ...about };
}

const port = { plausible: { min: 1, max: 65_535 } } as const;

const sshReadings: readonly Reading[] = [
  {
    id: 'ssh.vps',
    label: 'SSH: VPS',
    endpoint: 'listSshMappings',
    type: 'names',
    canonicalField: 'vps_name',
    read: (data) => nonEmpty(parseSshMappings(data, '').mappings.map(({ vpsName }) => vpsName)),
  },
  sshReading(
    { id: 'ssh.port', label: 'SSH: port of the VPS', ...port, canonicalField: 'port_vps_ssh' },
    (mapping) => mapping.port,
  ),
  sshReading(
    { id: 'ssh.external_port', label: "SSH: the proxy's port", ...port, canonicalField: 'external_port' },
    ({ externalPort }) => externalPort,
  ),
  sshReading(
    { id: 'ssh.host', label: "SSH: the proxy's host", type: 'text', canonicalField: 'host' },
    ({ host }) => host,
  ),
];

const osReadings: readonly Reading[] = [
  {
    id: 'os.id',
    label: 'System to install: ID',
    endpoint: 'getReinstallOptions',
    type: 'names',
    canonicalField: 'os',
    read: (data) => nonEmpty(parseReinstallOptions(data, '').operatingSystems.map(({ os }) => os)),
  },
  {
    id: 'os.label',
    label: 'System to install: name',
    endpoint: 'getReinstallOptions',
    type: 'text',
    canonicalField: 'label',
    read: (data) =>
      valuesByName(
        parseReinstallOptions(data, '').operatingSystems,
        ({ os }) => os,
        ({ label }) => label,
      ),
  },
  {
    id: 'os.delivery',
    label: 'Ways to deliver a password',
    endpoint: 'getReinstallOptions',
    type: 'names',
    canonicalField: 'delivery',
    read: (data) => nonEmpty(parseReinstallOptions(data, '').deliveries),
  },
];

/** Facts about snapshots, VLANs, IP addresses, SSH mappings and operating systems. */
export const resourceReadings: readonly Reading[] = [
  ...snapshotReadings,
  ...vlanReadings,
  ...ipReadings('listVpsIpAddresses', ''),
  ...ipReadings('listIpv4Addresses', 'account_'),
  freeReading,
  ...sshReadings,
  ...osReadings,
];
