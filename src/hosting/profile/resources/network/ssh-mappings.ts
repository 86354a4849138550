import { findList, type ListSpec } from '../../payload/list-finder.ts';
import { type FieldCandidate, openPlaces, type Places } from '../../readings/places.ts';
import { sshReadings } from '../../readings/resource-readings.ts';
import { parseInteger } from '../../values/numbers.ts';
import { findPort, type PortField } from '../../values/ports.ts';
import {
  findFields,
  findName,
  findOwnerVpsName,
  isVpsName,
  listOwners,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';

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
    return isVpsName(vpsName) ? { vpsName, record } : undefined;
  },
};

/** Reads the SSH mappings, from a list of records or a map by VPS. */
export function readSshMappings(data: unknown): SshMappingList {
  const { items, hasMore, otherFields } = findList(data, sshMappingListSpec);
  const records = items.map(({ record }) => record);
  const context = {
    places: openPlaces(data),
    hosts: [...sshReadings.host.fields, ...(areOwnHosts(records) ? [] : hostFields)],
    ports: [...sshReadings.externalPort.fields, ...(isPlainPortExternal(records) ? ['port'] : [])],
  };
  return { mappings: items.map((item) => toMapping(item, context)), hasMore, otherFields };
}

interface MappingContext {
  readonly places: Places;
  /** Names of the fields that can contain the proxy's host, and its port. */
  readonly hosts: readonly string[];
  readonly ports: readonly string[];
}

function toMapping({ vpsName, record }: NamedRecord, { places, hosts, ports }: MappingContext): SshMapping {
  const endpoint = findHost(record, hosts);
  const external =
    findPort(record, endpoint?.port === undefined ? ports : sshReadings.externalPort.fields) ??
    (endpoint?.port === undefined ? undefined : { port: endpoint.port, field: endpoint.field });
  const externalPort = places.findNumber(sshReadings.externalPort, record, () => toCandidates(external));
  // If the proxy's port is known too, `ssh_port` is the VPS's port. Otherwise it can be either.
  const internal =
    findPort(record, sshReadings.port.fields) ??
    (externalPort === undefined ? undefined : findPort(record, ['sshport']));
  const port = places.findNumber(sshReadings.port, record, () => toCandidates(internal));
  const host = places.findText(sshReadings.host, record, () =>
    endpoint ? [{ path: [endpoint.field], value: endpoint.host }] : [],
  );
  places.find(sshReadings.vps, record, toText, () => listOwners(record));
  const understood = [
    ...(host === endpoint?.host ? [endpoint?.field] : []),
    ...(externalPort === external?.port ? [external?.field] : []),
    ...(port === internal?.port ? [internal?.field] : []),
  ];
  return {
    vpsName,
    ...(port !== undefined && { port }),
    ...(externalPort !== undefined && { externalPort }),
    ...(host !== undefined && { host }),
    record,
    otherFields: Object.fromEntries(Object.entries(record).filter(([field]) => !understood.includes(field))),
  };
}

function toCandidates(found: PortField | undefined): readonly FieldCandidate<number>[] {
  return found ? [{ path: [found.field], value: found.port }] : [];
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
 * Returns whether a plain `port` beside a host is the proxy's port. A proxy's port differs from
 * VPS to VPS and isn't the usual SSH port.
 */
function isPlainPortExternal(records: readonly ServiceRecord[]): boolean {
  const places = records.flatMap((record) => {
    const host = findHost(record, [...sshReadings.host.fields, ...hostFields])?.host;
    const port = findPort(record, ['port'])?.port;
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
  for (const { field, value } of findFields(record, names)) {
    const endpoint = parseEndpoint(value);
    if (endpoint) return { ...endpoint, field };
    const host = toText(value);
    if (host !== undefined) return { host, field };
  }
  return undefined;
}

/** Finds the SSH port of a VPS in a list of mappings. */
export function readSshPort(data: unknown, name: string): number | undefined {
  return readSshMappings(data).mappings.find(({ vpsName }) => vpsName === name)?.port;
}
