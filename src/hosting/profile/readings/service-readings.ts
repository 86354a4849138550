import { readBackupFtp } from '../resources/backup-ftp.ts';
import { type DedicatedPort, type LoadBalancer, readWebgate } from '../resources/webgate.ts';
import { nonEmpty, type Reading, rememberByPayload, valuesByName } from './reading.ts';

const parseWebgate = rememberByPayload((data) => readWebgate(data));
const parseBackupFtp = rememberByPayload((data) => readBackupFtp(data));

type About = Pick<Reading, 'id' | 'label' | 'canonicalField'> & Partial<Reading>;
type EntryValue<Entry> = (entry: Entry) => string | number | boolean | undefined;

const portNumber = ({ externalPort }: DedicatedPort) => String(externalPort);

function portReading(about: About, value: EntryValue<DedicatedPort>): Reading {
  const read: Reading['read'] = (data) => valuesByName(parseWebgate(data, '').ports, portNumber, value);
  return { endpoint: 'getWebgate', type: 'text', read, ...about };
}

const balancerDomain = ({ domainName }: LoadBalancer) => domainName;

function balancerReading(about: About, value: EntryValue<LoadBalancer>): Reading {
  const read: Reading['read'] = (data) =>
    valuesByName(parseWebgate(data, '').loadBalancers, balancerDomain, value);
  return { endpoint: 'getWebgate', type: 'text', read, ...about };
}

const webgateReadings: readonly Reading[] = [
  {
    id: 'domain.name',
    label: 'Domain',
    endpoint: 'getWebgate',
    type: 'names',
    canonicalField: 'domain_name',
    read: (data) => nonEmpty(parseWebgate(data, '').domains.map(({ domainName }) => domainName)),
  },
  {
    id: 'domain.vps',
    label: 'Domain: VPS',
    endpoint: 'getWebgate',
    type: 'text',
    canonicalField: 'vps_name',
    read: (data) =>
      valuesByName(
        parseWebgate(data, '').domains,
        ({ domainName }) => domainName,
        ({ vpsName }) => vpsName,
      ),
  },
  {
    id: 'port.external',
    label: 'Dedicated port',
    endpoint: 'getWebgate',
    type: 'names',
    canonicalField: 'external_port',
    read: (data) => nonEmpty(parseWebgate(data, '').ports.map(portNumber)),
  },
  portReading(
    { id: 'port.vps', label: 'Dedicated port: VPS', canonicalField: 'vps_name' },
    ({ vpsName }) => vpsName,
  ),
  portReading(
    {
      id: 'port.target',
      label: 'Dedicated port: port of the VPS',
      type: 'number',
      plausible: { min: 1, max: 65_535 },
      canonicalField: 'target_port',
    },
    ({ targetPort }) => targetPort,
  ),
  portReading(
    { id: 'port.protocol', label: 'Dedicated port: protocol', canonicalField: 'protocol' },
    ({ protocol }) => protocol,
  ),
  {
    id: 'balancer.domain',
    label: 'Load balancer',
    endpoint: 'getWebgate',
    type: 'names',
    canonicalField: 'domain_name',
    read: (data) => nonEmpty(parseWebgate(data, '').loadBalancers.map(balancerDomain)),
  },
  balancerReading(
    { id: 'balancer.mode', label: 'Load balancer: mode', canonicalField: 'mode' },
    ({ mode }) => mode,
  ),
  balancerReading(
    { id: 'balancer.sticky', label: 'Load balancer: stickiness', canonicalField: 'sticky_mode' },
    ({ stickyMode }) => stickyMode,
  ),
  balancerReading(
    {
      id: 'balancer.backends',
      label: 'Load balancer: VPS behind it',
      isDerived: true,
      canonicalField: 'backends',
    },
    ({ backends }) =>
      backends.map(({ vpsName, targetPort }) => `${vpsName ?? '?'}:${targetPort ?? '?'}`).join(', ') ||
      undefined,
  ),
];

const bytes = { type: 'number', unit: 'bytes', plausible: { min: 0, max: 2 ** 60 } } as const;

const backupReadings: readonly Reading[] = [
  {
    id: 'backup.active',
    label: 'Backup space: active',
    endpoint: 'getBackupFtp',
    type: 'flag',
    canonicalField: 'active',
    read: (data) => parseBackupFtp(data, '').isActive,
  },
  {
    id: 'backup.quota',
    label: 'Backup space: quota',
    endpoint: 'getBackupFtp',
    ...bytes,
    canonicalField: 'quota',
    canonicalUnit: 'bytes',
    read: (data) => parseBackupFtp(data, '').quotaBytes,
  },
  {
    id: 'backup.used',
    label: 'Backup space: used',
    endpoint: 'getBackupFtp',
    ...bytes,
    canonicalField: 'used',
    canonicalUnit: 'bytes',
    read: (data) => parseBackupFtp(data, '').usedBytes,
  },
  {
    id: 'backup.credentials',
    label: 'Backup space: credentials',
    endpoint: 'getBackupFtp',
    type: 'names',
    isSecret: true,
    canonicalField: 'password',
    read: (data) => nonEmpty(parseBackupFtp(data, '').credentials.map(({ value }) => value)),
  },
];

/** Facts about the WebGate and backup spaces. */
export const serviceReadings: readonly Reading[] = [...webgateReadings, ...backupReadings];
