import type { Reading } from './reading.ts';

/** A snapshot of size 0 isn't finished, or its size is unknown. */
const snapshotSize = { type: 'number', unit: 'bytes', plausible: { min: 1, max: 2 ** 60 } } as const;
const port = { type: 'number', plausible: { min: 1, max: 65_535 } } as const;

const snapshots = { endpoint: 'listSnapshots' } as const;

export const snapshotReadings = {
  name: {
    id: 'snapshot.name',
    label: 'Snapshot name',
    ...snapshots,
    type: 'names',
    fields: [
      'name',
      'snapshotname',
      'snapname',
      'snapshot',
      'title',
      'label',
      'id',
      'snapshotid',
      'filename',
    ],
  },
  time: {
    id: 'snapshot.time',
    label: 'Snapshot time',
    ...snapshots,
    type: 'time',
    fields: [
      ...['createdat', 'created', 'createddate', 'creationdate', 'creationtime', 'createtime'],
      ...[
        'createdon',
        'datecreated',
        'datetimecreate',
        'datetimecreated',
        'takenat',
        'snaptime',
        'date',
        'time',
        'timestamp',
      ],
    ],
  },
  size: {
    id: 'snapshot.size',
    label: 'Snapshot size',
    ...snapshots,
    ...snapshotSize,
    fields: ['size', 'disksize', 'usedsize', 'used', 'snapshotsize', 'totalsize'],
  },
  state: { id: 'snapshot.state', label: 'Snapshot state', ...snapshots, type: 'text' },
} as const satisfies Record<string, Reading>;

const vlans = { endpoint: 'listVlans', type: 'text' } as const;

export const vlanReadings = {
  id: {
    id: 'vlan.id',
    label: 'VLAN ID',
    ...vlans,
    type: 'names',
    fields: ['id', 'vlanid', 'uuid', 'identifier', 'tag', 'vid'],
  },
  name: {
    id: 'vlan.name',
    label: 'VLAN name',
    ...vlans,
    fields: ['name', 'vlanname', 'label', 'title', 'description'],
  },
  range: {
    id: 'vlan.range',
    label: 'VLAN IP range',
    ...vlans,
    fields: 'iprange range cidr subnet subnetv4 subnetv6 network prefix ipv4range ipv6range'.split(' '),
  },
  attached: {
    id: 'vlan.attached',
    label: 'VLAN attached',
    ...vlans,
    type: 'flag',
    fields: [
      ...['attached', 'isattached', 'associated', 'isassociated', 'connected', 'assigned', 'verbunden'],
    ],
  },
  ip: { id: 'vlan.ip', label: 'VLAN IP of the VPS', ...vlans },
} as const satisfies Record<string, Reading>;

const addressFields = [
  ...['address', 'ipaddress', 'ip', 'ipaddr', 'addr', 'floatingip', 'floatingipaddress', 'publicip'],
  ...['ipv4address', 'ipv6address', 'ipv4', 'ipv6', 'adresse', 'ipadresse'],
  ...['cidr', 'prefix', 'subnet', 'range', 'network', 'value'],
];
const addressIdFields = [
  ...['id', 'ipid', 'resourceid', 'ipv4id', 'ipv6id', 'addressid', 'identifier', 'uuid'],
];

/** Facts about the addresses of one VPS, and about those of the account. */
export const ipReadings = {
  vps: {
    address: {
      id: 'ip.address',
      label: 'IP address of a VPS',
      endpoint: 'listVpsIpAddresses',
      type: 'names',
      fields: addressFields,
    },
    id: {
      id: 'ip.id',
      label: 'ID of an IP address of a VPS',
      endpoint: 'listVpsIpAddresses',
      type: 'text',
      fields: addressIdFields,
    },
  },
  account: {
    address: {
      id: 'ip.account_address',
      label: 'IP address of the account',
      endpoint: 'listIpv4Addresses',
      type: 'names',
      fields: addressFields,
    },
    id: {
      id: 'ip.account_id',
      label: 'ID of an IP address of the account',
      endpoint: 'listIpv4Addresses',
      type: 'text',
      fields: addressIdFields,
    },
    free: {
      id: 'ip.free',
      label: 'Whether an IP address is free',
      endpoint: 'listIpv4Addresses',
      type: 'flag',
      isDerived: true,
    },
  },
} as const satisfies Record<string, Record<string, Reading>>;

const mappings = { endpoint: 'listSshMappings' } as const;

export const sshReadings = {
  vps: { id: 'ssh.vps', label: 'VPS of an SSH port', ...mappings, type: 'names' },
  port: {
    id: 'ssh.port',
    label: 'SSH port of a VPS',
    ...mappings,
    ...port,
    fields: [
      ...['portvpsssh', 'vpssshport', 'internalsshport', 'internalport', 'portinternal', 'targetport'],
      ...['privateport', 'backendport', 'vpsport', 'guestport', 'destport', 'destinationport'],
    ],
  },
  externalPort: {
    id: 'ssh.external_port',
    label: 'SSH port of the proxy',
    ...mappings,
    ...port,
    fields: [
      ...['externalport', 'portexternal', 'externalsshport', 'proxyport', 'publicport', 'sshproxyport'],
      ...['listenport', 'sourceport'],
    ],
  },
  host: {
    id: 'ssh.host',
    label: 'SSH host of the proxy',
    ...mappings,
    type: 'text',
    fields: [
      ...['proxyhost', 'proxyhostname', 'proxyaddress', 'proxyip', 'proxy', 'sshhost', 'publichost'],
      ...['externalhost', 'endpoint', 'connect'],
    ],
  },
} as const satisfies Record<string, Reading>;

const systems = { endpoint: 'getReinstallOptions' } as const;

export const systemReadings = {
  id: {
    id: 'os.id',
    label: 'ID of a system',
    ...systems,
    type: 'names',
    fields: [
      ...['os', 'osid', 'id', 'slug', 'identifier', 'code', 'key', 'value', 'template', 'templateid'],
      ...['image', 'imageid', 'volid', 'uuid', 'kennung'],
    ],
  },
  label: {
    id: 'os.label',
    label: 'Name of a system',
    ...systems,
    type: 'text',
    fields: [
      ...['label', 'title', 'displayname', 'prettyname', 'fullname', 'description', 'text', 'name'],
      ...['osname', 'bezeichnung'],
    ],
  },
  delivery: {
    id: 'os.delivery',
    label: 'Ways to deliver a password',
    ...systems,
    type: 'names',
  },
} as const satisfies Record<string, Reading>;
