import { findList, type ListSpec } from '../payload/list-finder.ts';
import { parseInteger } from '../values/numbers.ts';
import {
  findName,
  findOwnerVpsName,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
  toText,
} from '../values/records.ts';

/** How a VPS is reached by SSH through the proxy. */
export interface SshMapping {
  readonly vpsName: string;
  /** The SSH port of the VPS. */
  readonly port?: number;
  /** The proxy's port. */
  readonly externalPort?: number;
  /** The proxy's host. */
  readonly host?: string;
  readonly record: ServiceRecord;
  /** The record without the fields used for the mapping. */
  readonly otherFields: ServiceRecord;
}

export interface SshMappingList {
  readonly mappings: readonly SshMapping[];
  readonly hasMore: boolean;
  /** The payload without the list. */
  readonly otherFields: ServiceRecord;
}

const internalPortFields =
  'portvpsssh vpssshport internalsshport internalport portinternal targetport privateport backendport vpsport guestport destport destinationport'.split(
    ' ',
  );
const externalPortFields =
  'externalport portexternal externalsshport proxyport publicport sshproxyport listenport sourceport'.split(
    ' ',
  );
const proxyHostFields =
  'proxyhost proxyhostname proxyaddress proxyip proxy sshhost publichost externalhost endpoint connect'.split(
    ' ',
  );
/** Fields for the host of the proxy or of the VPS itself. */
const hostFields = ['host', 'hostname', 'address', 'publicip', 'ip'];

type NamedRecord = Pick<SshMapping, 'vpsName' | 'record'>;

const sshMappingListSpec: ListSpec<NamedRecord> = {
  namePattern: /^(mappings?|portmappings?|proxyssh.*|sshproxy.*|ports?|proxies)$/,
  isCertain: ({ key, record }) => isVpsName(findName(record, key)),
  isUnmistakable: true,
  // In a map, it's unknown which port a lone number is.
  toRecord: (value, key) =>
    isVpsName(key) ? { [parseEndpoint(value) ? 'endpoint' : 'port']: value } : undefined,
  readItem({ key, record }) {
    const vpsName = findOwnerVpsName(record) ?? findName(record, key);
    return vpsName === undefined ? undefined : { vpsName, record };
  },
};

/** Reads the SSH mappings, from a list of records or a map by VPS. */
export function readSshMappings(data: unknown): SshMappingList {
  const { items, hasMore, otherFields } = findList(data, sshMappingListSpec);
  const records = items.map(({ record }) => record);
  const names = {
    hosts: [...proxyHostFields, ...(areOwnHosts(records) ? [] : hostFields)],
    ports: [...externalPortFields, ...(isPlainPortExternal(records) ? ['port'] : [])],
  };
  return { mappings: items.map((item) => toMapping(item, names)), hasMore, otherFields };
}

function toMapping(
  { vpsName, record }: NamedRecord,
  names: { readonly hosts: readonly string[]; readonly ports: readonly string[] },
): SshMapping {
  const host = findHost(record, names.hosts);
  const external = findPortField(record, host?.port === undefined ? names.ports : externalPortFields);
  const externalPort = external?.port ?? host?.port;
  // If the proxy's port is known too, `ssh_port` is the VPS's port. Otherwise it can be either.
  const internal =
    findPortField(record, internalPortFields) ??
    (externalPort === undefined ? undefined : findPortField(record, ['sshport']));
  const understood = [host?.field, external?.field, internal?.field];
  return {
    vpsName,
    ...(internal && { port: internal.port }),
    ...(externalPort !== undefined && { externalPort }),
    ...(host && { host: host.host }),
    record,
    otherFields: Object.fromEntries(Object.entries(record).filter(([field]) => !understood.includes(field))),
  };
}

/**
 * Returns whether fields such as `hostname` differ from VPS to VPS, which means that they aren't
 * the proxy's.
 */
function areOwnHosts(records: readonly ServiceRecord[]): boolean {
  const hosts = records.flatMap((record) => findHost(record, hostFields)?.host ?? []);
  return hosts.length > 1 && new Set(hosts).size === hosts.length;
}

/**
 * Returns whether a plain `port` beside a host is the proxy's. It is if it differs from VPS to VPS
 * and isn't the usual SSH port.
 */
function isPlainPortExternal(records: readonly ServiceRecord[]): boolean {
  const places = records.flatMap((record) => {
    const host = findHost(record, [...proxyHostFields, ...hostFields])?.host;
    const port = findPortField(record, ['port'])?.port;
    return port === undefined ? [] : [{ port, place: host && `${host}:${port}` }];
  });
  return (
    places.every(({ port, place }) => place !== undefined && port !== 22) &&
    new Set(places.map(({ place }) => place)).size === places.length
  );
}

interface Endpoint {
  readonly host: string;
  readonly port?: number;
}

/** Parses `host:40001`. Also accepts URLs, and IPv6 addresses in brackets. */
function parseEndpoint(value: unknown): Required<Endpoint> | undefined {
  const [, host, digits] =
    /^(?:\w+:\/\/)?(?:[^@\s/]+@)?(\[[\da-f:]+\]|[^:\s/[\]]+):(\d{1,5})\/?$/i.exec(
      typeof value === 'string' ? value.trim() : '',
    ) ?? [];
  const port = parseInteger(digits, 1, 65_535);
  return host === undefined || port === undefined ? undefined : { host, port };
}

function findHost(
  record: ServiceRecord,
  names: readonly string[],
): (Endpoint & { readonly field: string }) | undefined {
  for (const { field, value } of fieldsNamed(record, names)) {
    const endpoint = parseEndpoint(value);
    if (endpoint) return { ...endpoint, field };
    const host = toText(value);
    if (host !== undefined) return { host, field };
  }
  return undefined;
}

function findPortField(
  record: ServiceRecord,
  names: readonly string[],
): { readonly field: string; readonly port: number } | undefined {
  return fieldsNamed(record, names)
    .map(({ field, value }) => ({ field, port: parseInteger(value, 1, 65_535) }))
    .find((found): found is { field: string; port: number } => found.port !== undefined);
}

/** Returns the fields that have the normalized names, in the order of the names. */
function fieldsNamed(
  record: ServiceRecord,
  names: readonly string[],
): readonly { readonly field: string; readonly value: unknown }[] {
  const fields = Object.entries(record).map(([field, value]) => ({ field, value }));
  return names.flatMap((name) => fields.filter(({ field }) => normalizeFieldName(field) === name));
}

/** Finds the SSH port of a VPS in a list of mappings. */
export function readSshPort(data: unknown, name: string): number | undefined {
  return readSshMappings(data).mappings.find(({ vpsName }) => vpsName === name)?.port;
}
