import { externalPortRange } from '../../endpoints/fields.ts';
import { extractFrom, isUnderField, type PayloadLocation } from '../payload/extraction.ts';
import { hasMorePages } from '../payload/pagination.ts';
import { detectIpKind } from '../values/addresses.ts';
import { parseInteger } from '../values/numbers.ts';
import { findPort } from '../values/ports.ts';
import {
  findOwnerVpsName,
  findText,
  findValues,
  isRecord,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
} from '../values/records.ts';
import { type LoadBalancerBackend, readBackends, targetPortFields } from './load-balancer-backends.ts';

export interface Domain {
  readonly domainName: string;
  readonly vpsName?: string;
  readonly record: ServiceRecord;
}

export interface DedicatedPort {
  /** Identifies the port when it is deleted. */
  readonly externalPort: number;
  readonly vpsName?: string;
  readonly protocol?: string;
  readonly targetPort?: number;
  /** Can be a load balancer's `dedicated_port_id`. */
  readonly id?: number;
  readonly record: ServiceRecord;
}

export interface LoadBalancer {
  readonly domainName: string;
  readonly mode?: string;
  readonly stickyMode?: string;
  readonly backends: readonly LoadBalancerBackend[];
  readonly record: ServiceRecord;
}

export interface Webgate {
  readonly domains: readonly Domain[];
  readonly ports: readonly DedicatedPort[];
  readonly loadBalancers: readonly LoadBalancer[];
  readonly hasMore: boolean;
  /** The payload without the lists, such as quotas and usage. */
  readonly otherFields: ServiceRecord;
}

const domainFields = ['domainname', 'domain', 'fqdn', 'hostname', 'host', 'name'];
const externalPortFields = [
  'externalport',
  'publicport',
  'dedicatedport',
  'listenport',
  'external',
  'sourceport',
];
const backendFields = ['backends', 'backend', 'members', 'pool', 'targets', 'servers', 'nodes'];
const loadBalancerFields = ['mode', 'stickymode', 'sticky', 'healthcheckpath', 'algorithm', 'balancing'];

const loadBalancerFieldPattern = /balanc|^lbs?$/;
const portFieldPattern = /ports?$/;
const domainFieldPattern = /(domains?|domainnames?|hostnames?|sites?)$/;
const excludedFieldPattern = /^(quotas?|usage|used|limits?|counts?|max|totals?|available|remaining)$/;

/**
 * Reads the WebGate's domains, dedicated ports and load balancers. They can be in lists or maps,
 * for the whole account or by VPS.
 */
export function readWebgate(data: unknown): Webgate {
  const domains: Domain[] = [];
  const ports: DedicatedPort[] = [];
  const loadBalancers: LoadBalancer[] = [];
  const otherFields = extractFrom(data, (value, location) => {
    if (isUnderField(location, excludedFieldPattern)) return false;
    const record = toRecord(value, location);
    if (record === undefined) return false;
    const loadBalancer = toLoadBalancer(record, location);
    if (loadBalancer) return loadBalancers.push(loadBalancer) > 0;
    const port = toDedicatedPort(record, location);
    if (port) return ports.push(port) > 0;
    const domain = toDomain(record, location);
    return domain !== undefined && domains.push(domain) > 0;
  });
  const count = Math.max(domains.length, ports.length, loadBalancers.length);
  return { domains, ports, loadBalancers, hasMore: hasMorePages(data, count), otherFields };
}

/** Returns the kind of the innermost group that contains a value. */
function findGroup({ path }: PayloadLocation): 'balancers' | 'ports' | 'domains' | undefined {
  for (const name of path.map(normalizeFieldName).toReversed()) {
    if (loadBalancerFieldPattern.test(name)) return 'balancers';
    if (portFieldPattern.test(name)) return 'ports';
    if (domainFieldPattern.test(name)) return 'domains';
  }
  return undefined;
}

/**
 * Converts an entry to a record. The entry can be a record, a lone name or port, or a name or port
 * mapped to its VPS.
 */
function toRecord(value: unknown, location: PayloadLocation): ServiceRecord | undefined {
  const group = findGroup(location);
  const key = findMapKey(location);
  const name = group === 'ports' ? 'external_port' : 'domain_name';
  if (isRecord(value))
    return isNameInGroup(group, key) && !(name in value) ? { [name]: key, ...value } : value;
  if (group === undefined || typeof value === 'object') return undefined;
  if (location.isListItem) return isNameInGroup(group, value) ? { [name]: value } : undefined;
  return isNameInGroup(group, key) && isVpsName(value) ? { [name]: key, vps_name: value } : undefined;
}

function findMapKey({ path, isListItem }: PayloadLocation): string | undefined {
  return isListItem ? undefined : path.at(-1);
}

function isNameInGroup(group: ReturnType<typeof findGroup>, value: unknown): boolean {
  if (group === 'ports') return parseInteger(value, 1, 65_535) !== undefined;
  return group !== undefined && typeof value === 'string' && isDomainName(value);
}

function isDomainName(text: string): boolean {
  return /^[^\s/]+\.[^\s/]+$/.test(text) && detectIpKind(text) === undefined;
}

function toLoadBalancer(record: ServiceRecord, location: PayloadLocation): LoadBalancer | undefined {
  const domainName = findDomainName(record, findGroup(location) === 'balancers');
  const hasBackends = findValues(record, backendFields).some((value) => typeof value === 'object');
  const isBalancer =
    hasBackends || findGroup(location) === 'balancers' || findValues(record, loadBalancerFields).length > 1;
  if (domainName === undefined || !isBalancer) return undefined;
  const mode = findText(record, ['mode', 'algorithm', 'balancing', 'balance', 'method']);
  const stickyMode = findText(record, ['stickymode', 'sticky', 'stickiness', 'persistence']);
  return {
    domainName,
    ...(mode !== undefined && { mode }),
    ...(stickyMode !== undefined && { stickyMode }),
    backends: findValues(record, backendFields).flatMap(readBackends),
    record,
  };
}

function toDedicatedPort(record: ServiceRecord, location: PayloadLocation): DedicatedPort | undefined {
  const explicitPort = findPort(record, externalPortFields);
  // A plain `port` is the external port if it is in the range of external ports.
  const isAmongPorts = findGroup(location) === 'ports';
  const externalPort =
    explicitPort ?? (isAmongPorts ? findPort(record, ['port', 'number'], externalPortRange) : undefined);
  if (externalPort === undefined) return undefined;
  const vpsName = findOwnerVpsName(record) ?? location.vpsName;
  const protocol = findText(record, ['protocol', 'proto', 'type']);
  const targetPort = findPort(
    record,
    explicitPort === undefined ? targetPortFields : [...targetPortFields, 'port'],
  );
  const id = findValues(record, ['id', 'portid', 'dedicatedportid']).map((value) => parseInteger(value))[0];
  return {
    externalPort,
    ...(vpsName !== undefined && { vpsName }),
    ...(protocol !== undefined && { protocol }),
    ...(targetPort !== undefined && { targetPort }),
    ...(id !== undefined && { id }),
    record,
  };
}

function toDomain(record: ServiceRecord, location: PayloadLocation): Domain | undefined {
  const domainName = findDomainName(record, findGroup(location) === 'domains');
  if (domainName === undefined) return undefined;
  const vpsName = findOwnerVpsName(record) ?? location.vpsName;
  return { domainName, ...(vpsName !== undefined && { vpsName }), record };
}

/** Returns the domain name of a record. Inside a list of domains, any name field will do. */
function findDomainName(record: ServiceRecord, isInGroup: boolean): string | undefined {
  const domain = findText(record, domainFields.slice(0, 2));
  if (domain !== undefined) return isVpsName(domain) ? undefined : domain;
  const name = isInGroup ? findText(record, domainFields.slice(2)) : undefined;
  return name !== undefined && isDomainName(name) ? name : undefined;
}
