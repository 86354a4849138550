import { externalPorts } from '../fields.ts';
import { type BackendReading, backendsIn, portAt, targetPortFields } from './backends.ts';
import { integerOf } from './numbers.ts';
import { hintsAtMorePages } from './pages.ts';
import { type Place, standsIn, takeFrom } from './places.ts';
import { bare, isRecord, isVpsName, ownerOf, type ServiceRecord, textOf, valuesOf } from './records.ts';

export interface DomainReading {
  readonly domainName: string;
  readonly vpsName?: string;
  readonly record: ServiceRecord;
}

export interface DedicatedPortReading {
  /** What the delete path names it by. */
  readonly externalPort: number;
  readonly vpsName?: string;
  readonly protocol?: string;
  readonly targetPort?: number;
  /** What a load balancer's `dedicated_port_id` may refer to. */
  readonly id?: number;
  readonly record: ServiceRecord;
}

export interface LoadBalancerReading {
  readonly domainName: string;
  readonly mode?: string;
  readonly stickyMode?: string;
  readonly backends: readonly BackendReading[];
  readonly record: ServiceRecord;
}

export interface WebgateReading {
  readonly domains: readonly DomainReading[];
  readonly ports: readonly DedicatedPortReading[];
  readonly loadBalancers: readonly LoadBalancerReading[];
  readonly mayHaveMore: boolean;
  /** Quotas, usage and whatever else came beside the lists. */
  readonly rest: ServiceRecord;
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
const balancerFields = ['mode', 'stickymode', 'sticky', 'healthcheckpath', 'algorithm', 'balancing'];

const balancerPlace = /balanc|^lbs?$/;
const portPlace = /ports?$/;
const domainPlace = /(domains?|domainnames?|hostnames?|sites?)$/;
const otherPlace = /^(quotas?|usage|used|limits?|counts?|max|totals?|available|remaining)$/;

/** Reads the state of the WebGate: lists or maps of domains, dedicated ports and load balancers, for the account or by VPS. */
export function readWebgate(data: unknown): WebgateReading {
  const domains: DomainReading[] = [];
  const ports: DedicatedPortReading[] = [];
  const loadBalancers: LoadBalancerReading[] = [];
  const rest = takeFrom(data, (value, place) => {
    if (standsIn(place, otherPlace)) return false;
    const record = recordAt(value, place);
    if (record === undefined) return false;
    const loadBalancer = loadBalancerIn(record, place);
    if (loadBalancer) return loadBalancers.push(loadBalancer) > 0;
    const port = portIn(record, place);
    if (port) return ports.push(port) > 0;
    const domain = domainIn(record, place);
    return domain !== undefined && domains.push(domain) > 0;
  });
  const count = Math.max(domains.length, ports.length, loadBalancers.length);
  return { domains, ports, loadBalancers, mayHaveMore: hintsAtMorePages(data, count), rest };
}

/** The innermost of the groups that a value stands in. */
function groupOf({ path }: Place): 'balancers' | 'ports' | 'domains' | undefined {
  for (const name of path.map(bare).toReversed()) {
    if (balancerPlace.test(name)) return 'balancers';
    if (portPlace.test(name)) return 'ports';
    if (domainPlace.test(name)) return 'domains';
  }
  return undefined;
}

/** Makes a record of an entry: itself, a name or a port alone, or a name or a port with the VPS that it leads to. */
function recordAt(value: unknown, place: Place): ServiceRecord | undefined {
  const group = groupOf(place);
  const key = keyOf(place);
  const name = group === 'ports' ? 'external_port' : 'domain_name';
  if (isRecord(value)) return isNameFor(group, key) && !(name in value) ? { [name]: key, ...value } : value;
  if (group === undefined || typeof value === 'object') return undefined;
  if (place.isEntry) return isNameFor(group, value) ? { [name]: value } : undefined;
  return isNameFor(group, key) && isVpsName(value) ? { [name]: key, vps_name: value } : undefined;
}

function keyOf({ path, isEntry }: Place): string | undefined {
  return isEntry ? undefined : path.at(-1);
}

function isNameFor(group: ReturnType<typeof groupOf>, value: unknown): boolean {
  if (group === 'ports') return integerOf(value, 1, 65_535) !== undefined;
  return group !== undefined && typeof value === 'string' && /^[^\s/]+\.[^\s/]+$/.test(value);
}

function loadBalancerIn(record: ServiceRecord, place: Place): LoadBalancerReading | undefined {
  const domainName = domainNameIn(record, groupOf(place) === 'balancers');
  const hasBackends = valuesOf(record, backendFields).some((value) => typeof value === 'object');
  const isBalancer =
    hasBackends || groupOf(place) === 'balancers' || valuesOf(record, balancerFields).length > 1;
  if (domainName === undefined || !isBalancer) return undefined;
  const mode = textOf(record, ['mode', 'algorithm', 'balancing', 'balance', 'method']);
  const stickyMode = textOf(record, ['stickymode', 'sticky', 'stickiness', 'persistence']);
  return {
    domainName,
    ...(mode !== undefined && { mode }),
    ...(stickyMode !== undefined && { stickyMode }),
    backends: valuesOf(record, backendFields).flatMap(backendsIn),
    record,
  };
}

function portIn(record: ServiceRecord, place: Place): DedicatedPortReading | undefined {
  const named = portAt(record, externalPortFields);
  // Where no field says which of the two it is, the range of the external ones tells.
  const isAmongPorts = groupOf(place) === 'ports';
  const externalPort =
    named ?? (isAmongPorts ? portAt(record, ['port', 'number'], externalPorts) : undefined);
  if (externalPort === undefined) return undefined;
  const vpsName = ownerOf(record) ?? place.vpsName;
  const protocol = textOf(record, ['protocol', 'proto', 'type']);
  const targetPort = portAt(record, named === undefined ? targetPortFields : [...targetPortFields, 'port']);
  const id = valuesOf(record, ['id', 'portid', 'dedicatedportid']).map((value) => integerOf(value))[0];
  return {
    externalPort,
    ...(vpsName !== undefined && { vpsName }),
    ...(protocol !== undefined && { protocol }),
    ...(targetPort !== undefined && { targetPort }),
    ...(id !== undefined && { id }),
    record,
  };
}

function domainIn(record: ServiceRecord, place: Place): DomainReading | undefined {
  const domainName = domainNameIn(record, groupOf(place) === 'domains');
  if (domainName === undefined) return undefined;
  const vpsName = ownerOf(record) ?? place.vpsName;
  return { domainName, ...(vpsName !== undefined && { vpsName }), record };
}

/** Reads the name of a domain; among domains a record's own name is one. */
function domainNameIn(record: ServiceRecord, isAmongThem: boolean): string | undefined {
  const name = textOf(record, isAmongThem ? domainFields : domainFields.slice(0, 2));
  return isVpsName(name) ? undefined : name;
}
