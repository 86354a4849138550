import { type Entry, type EntryKind, findEntries } from './entries.ts';
import { balancerValues, domainValues, type KnownValue, portValues } from './known-values.ts';
import { listCandidates, listTableFields, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { parseInteger } from './quantity.ts';
import {
  detectIpKind,
  findText,
  findValues,
  isRecord,
  omitUndefined,
  parseFlag,
  type ServiceRecord,
} from './record.ts';

export interface Domain {
  readonly domainName: string;
  readonly vpsName?: string;
  readonly record: ServiceRecord;
}

export interface DedicatedPort {
  /** Identifies the port for deletion. */
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

/** A VPS behind a load balancer. */
export interface LoadBalancerBackend {
  readonly vpsName?: string;
  readonly targetPort?: number;
  readonly weight?: number;
  readonly isBackup?: boolean;
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

const balancerField = /balanc|^lbs?$/;
const domainField = /(domains?|domainnames?|hostnames?|sites?)$/;
const portField = /ports?$/;

/** Reads the WebGate's domains, dedicated ports and load balancers from lists or maps. */
export function readWebgate(data: unknown): Webgate {
  const matcher = openMatcher(data);
  const find = (rest: unknown, listNames: RegExp, name: KnownValue, isCertain: EntryKind['isCertain']) =>
    findEntries(rest, { listNames, matcher, name, isUnmistakable: true, isCertain });
  const isDomain = (known: KnownValue) => (entry: Entry, trial: Matcher) =>
    entry.isInList && readDomainName(known, entry, trial) !== undefined;
  const balancers = find(data, balancerField, balancerValues.domain, isDomain(balancerValues.domain));
  // The response to a new port isn't a list, so an external port in the record is enough.
  const isPort = (entry: Entry, trial: Matcher) =>
    (entry.isInList || findText(entry.record, ['externalport']) !== undefined) &&
    trial.number(portValues.external, entry) !== undefined;
  const ports = find(balancers.otherFields, portField, portValues.external, isPort);
  const domains = find(ports.otherFields, domainField, domainValues.name, isDomain(domainValues.name));
  const found = {
    loadBalancers: balancers.entries.map((entry) => toLoadBalancer(entry, matcher)),
    ports: ports.entries.map((entry) => toPort(entry, matcher)),
    domains: domains.entries.map((entry) => toDomain(entry, matcher)),
  };
  const count = Math.max(...Object.values(found).map(({ length }) => length));
  return { ...found, hasMore: hasMorePages(data, count), otherFields: domains.otherFields };
}

function isDomainName(text: unknown): text is string {
  return typeof text === 'string' && /^[^\s/]+\.[^\s/]+$/.test(text) && detectIpKind(text) === undefined;
}

function readDomainName(known: KnownValue, entry: Entry, matcher: Matcher): string | undefined {
  const candidates = listCandidates(known, entry.record).filter(({ value }) => isDomainName(value));
  return matcher.text(known, entry, candidates);
}

function toLoadBalancer(entry: Entry, matcher: Matcher): LoadBalancer {
  const lists = listTableFields(balancerValues.backends, entry.record);
  const backends = lists.flatMap(({ content }) => [content].flat().filter(isRecord).map(toBackend));
  const shown = backends.flatMap(({ vpsName }) => vpsName ?? []).join(', ');
  for (const { field } of lists) matcher.note(balancerValues.backends, [...entry.address, field], shown);
  const mode = matcher.text(balancerValues.mode, entry);
  const stickyMode = matcher.text(balancerValues.sticky, entry);
  const domainName = readDomainName(balancerValues.domain, entry, matcher) ?? '';
  return omitUndefined({ domainName, mode, stickyMode, backends, record: entry.record });
}

function toPort(entry: Entry, matcher: Matcher): DedicatedPort {
  const { record } = entry;
  const vpsName = matcher.text(portValues.vps, entry);
  const protocol = matcher.text(portValues.protocol, entry);
  const externalPort = matcher.number(portValues.external, entry) ?? 0;
  // A `port` that repeats the external port isn't the target.
  const targets = listCandidates(portValues.target, record).filter(
    ({ value, path }) => value !== externalPort || path.at(-1) !== 'port',
  );
  const targetPort = matcher.number(portValues.target, entry, targets);
  const id = parseInteger(findText(record, ['id', 'portid', 'dedicatedportid']));
  return omitUndefined({ externalPort, vpsName, protocol, targetPort, id, record });
}

function toDomain(entry: Entry, matcher: Matcher): Domain {
  const vpsName = matcher.text(domainValues.vps, entry);
  const domainName = readDomainName(domainValues.name, entry, matcher) ?? '';
  return omitUndefined({ domainName, vpsName, record: entry.record });
}

function toBackend(record: ServiceRecord): LoadBalancerBackend {
  const entry = { record, address: [] };
  const matcher = openMatcher(undefined);
  const vpsName = matcher.text(domainValues.vps, entry);
  const targetPort = matcher.number(portValues.target, entry);
  const weight = parseInteger(findText(record, ['weight']));
  const isBackup = findValues(record, ['isbackup', 'backup']).map(parseFlag)[0];
  return omitUndefined({ vpsName, targetPort, weight, isBackup, record });
}
