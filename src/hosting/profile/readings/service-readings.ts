import type { Reading } from './reading.ts';

const webgate = { endpoint: 'getWebgate', type: 'text' } as const;
const port = { type: 'number', plausible: { min: 1, max: 65_535 } } as const;

/** Normalized names of fields that contain a port on a VPS. */
const targetPortFields = [
  ...['targetport', 'internalport', 'privateport', 'backendport', 'vpsport', 'target'],
];
/** The first two name a domain wherever they are. The others do so only in a list of domains. */
const domainFields = ['domainname', 'domain', 'fqdn', 'dnsname', 'hostname', 'host', 'name'];

export const domainReadings = {
  name: { id: 'domain.name', label: 'Domain', ...webgate, type: 'names', fields: domainFields },
  vps: { id: 'domain.vps', label: 'VPS of a domain', ...webgate },
} as const satisfies Record<string, Reading>;

export const portReadings = {
  external: {
    id: 'port.external',
    label: 'Dedicated port',
    ...webgate,
    type: 'names',
    plausible: port.plausible,
    fields: ['externalport', 'publicport', 'dedicatedport', 'listenport', 'external', 'sourceport'],
  },
  vps: { id: 'port.vps', label: 'VPS of a dedicated port', ...webgate },
  target: {
    id: 'port.target',
    label: 'Target of a dedicated port',
    ...webgate,
    ...port,
    fields: targetPortFields,
  },
  protocol: {
    id: 'port.protocol',
    label: 'Protocol of a dedicated port',
    ...webgate,
    fields: ['protocol', 'proto', 'type'],
  },
} as const satisfies Record<string, Reading>;

export const balancerReadings = {
  domain: { id: 'balancer.domain', label: 'Load balancer', ...webgate, type: 'names', fields: domainFields },
  mode: {
    id: 'balancer.mode',
    label: 'Load balancer mode',
    ...webgate,
    fields: ['mode', 'algorithm', 'balancing', 'balance', 'method'],
  },
  sticky: {
    id: 'balancer.sticky',
    label: 'Load balancer stickiness',
    ...webgate,
    fields: ['stickymode', 'sticky', 'stickiness', 'persistence'],
  },
  backends: {
    id: 'balancer.backends',
    label: 'VPS behind a load balancer',
    ...webgate,
    isDerived: true,
    fields: ['backends', 'backend', 'members', 'pool', 'targets', 'servers', 'nodes'],
  },
} as const satisfies Record<string, Reading>;

const backup = { endpoint: 'getBackupFtp' } as const;
const bytes = { type: 'number', unit: 'bytes', plausible: { min: 0, max: 2 ** 60 } } as const;

export const backupReadings = {
  active: {
    id: 'backup.active',
    label: 'Backup space active',
    ...backup,
    type: 'flag',
    fields: ['active', 'enabled', 'isactive', 'isenabled', 'activated', 'aktiv', 'aktiviert'],
  },
  quota: {
    id: 'backup.quota',
    label: 'Backup space quota',
    ...backup,
    ...bytes,
    fields: [
      ...['quota', 'limit', 'total', 'size', 'max', 'maximum', 'capacity', 'quotatotal', 'quotasize'],
      ...['quotalimit', 'quotamax', 'totalsize', 'maxsize', 'sizelimit', 'sizetotal'],
    ],
  },
  used: {
    id: 'backup.used',
    label: 'Backup space used',
    ...backup,
    ...bytes,
    fields: ['used', 'usage', 'usedspace', 'spaceused', 'quotaused', 'usedquota'],
  },
  credentials: {
    id: 'backup.credentials',
    label: 'Backup space credentials',
    ...backup,
    type: 'names',
    isSecret: true,
  },
} as const satisfies Record<string, Reading>;
