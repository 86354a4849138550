import { externalPortRange } from '../endpoints/fields.ts';
import { detectIpKind } from './addresses.ts';
import { type Entry, type EntryKind, findEntries } from './entries.ts';
import { balancerValues, domainValues, type KnownValue, portValues } from './known-values.ts';
import { type Candidate, listCandidates, listTableFields, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { parseInteger } from './quantity.ts';
import {
  findText,
  findValues,
  isRecord,
  normalizeFieldName,
  omitUndefined,
  parseFlag,
  type ServiceRecord,
  words,
} from './record.ts';
import { findName, isVpsName } from './vps-name.ts';

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

const excludedField = /^(quotas?|usage|used|limits?|counts?|max|totals?|available|remaining)$/;
const balancerField = /balanc|^lbs?$/;
const domainField = /(domains?|domainnames?|hostnames?|sites?)$/;
const portField = /ports?$/;

/**
 * Reads the WebGate's domains, dedicated ports and load balancers. They can be in lists or maps,
 * for the whole account or by VPS.
 */
export function readWebgate(data: unknown): Webgate {
  const matcher = openMatcher(data);
  const find = (
    rest: unknown,
    listNames: RegExp,
    known: KnownValue,
    isCertain: (entry: Entry) => boolean,
  ) => {
    const kind: EntryKind = {
      listNames,
      matcher,
      name: known,
      isUnmistakable: true,
      isCertain: (entry) => !isUnder(entry, excludedField) && isCertain(entry),
      toRecord: (value, place) => toScalarRecord(value, place, listNames),
    };
    return findEntries(rest, kind);
  };
  const balancers = find(data, balancerField, balancerValues.domain, (entry) => isBalancer(entry, matcher));
  const ports = find(
    balancers.otherFields,
    portField,
    portValues.external,
    (entry) => !isUnder(entry, balancerField) && readExternalPort(entry, matcher) !== undefined,
  );
  const domains = find(
    ports.otherFields,
    domainField,
    domainValues.name,
    (entry) =>
      !isUnder(entry, balancerField) && readDomainName(domainValues.name, entry, matcher) !== undefined,
  );
  const found = {
    loadBalancers: balancers.entries.map((entry) => toLoadBalancer(entry, matcher)),
    ports: ports.entries.map((entry) => toPort(entry, matcher)),
    domains: domains.entries.map((entry) => toDomain(entry, matcher)),
  };
  const count = Math.max(...Object.values(found).map(({ length }) => length));
  return { ...found, hasMore: hasMorePages(data, count), otherFields: domains.otherFields };
}

function isUnder({ groups, key = '' }: Entry, name: RegExp): boolean {
  return [...groups, key].some((field) => name.test(normalizeFieldName(field)));
}

/** Converts a lone name or port in a list, or one that a map maps to its VPS, to a record. */
function toScalarRecord(
  value: unknown,
  { key, groups, isInList }: Omit<Entry, 'record'>,
  listNames: RegExp,
): ServiceRecord | undefined {
  const isListed = isInList || listNames.test(normalizeFieldName(groups.at(-1) ?? ''));
  if (!isListed || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const field = listNames === portField ? 'external_port' : 'domain_name';
  if (key === undefined) return { [field]: value };
  return isVpsName(value) ? { [field]: key, vps_name: value } : undefined;
}

function isDomainName(text: unknown): text is string {
  return typeof text === 'string' && /^[^\s/]+\.[^\s/]+$/.test(text) && detectIpKind(text) === undefined;
}

/** Returns the domain name of a record. Inside a list of domains, any name field and the key will do. */
function readDomainName(known: KnownValue, entry: Entry, matcher: Matcher): string | undefined {
  const inDomains = entry.isInList;
  const fields = inDomains ? known.fields : known.fields.slice(0, 4);
  const candidates = listCandidates({ ...known, fields }, entry.record).filter(({ value }) =>
    isDomainName(value),
  );
  const found = matcher.text(known, entry, candidates);
  return found ?? (inDomains && isDomainName(entry.key) && !matcher.mappingOf(known) ? entry.key : undefined);
}

const balancerTraits = words('mode stickymode sticky healthcheckpath algorithm balancing');

function isBalancer(entry: Entry, matcher: Matcher): boolean {
  const hasBackends = listTableFields(balancerValues.backends, entry.record).some(
    ({ content }) => typeof content === 'object',
  );
  const isNamed = hasBackends || entry.isInList || findValues(entry.record, balancerTraits).length > 1;
  return isNamed && readDomainName(balancerValues.domain, entry, matcher) !== undefined;
}

function toLoadBalancer(entry: Entry, matcher: Matcher): LoadBalancer {
  const backends = listTableFields(balancerValues.backends, entry.record);
  const members = backends.flatMap(({ content }) => readBackends(content));
  const shown = members.flatMap(({ vpsName }) => vpsName ?? []).join(', ');
  for (const { field } of backends) matcher.note(balancerValues.backends, [...entry.address, field], shown);
  const mode = matcher.text(balancerValues.mode, entry);
  const stickyMode = matcher.text(balancerValues.sticky, entry);
  const domainName = readDomainName(balancerValues.domain, entry, matcher) ?? '';
  return omitUndefined({ domainName, mode, stickyMode, backends: members, record: entry.record });
}

function readExternalPort(entry: Entry, matcher: Matcher): number | undefined {
  const explicit = listCandidates(portValues.external, entry.record);
  // A plain `port` among ports is the external port if it is in the range of external ports.
  const plain = listCandidates(
    { ...portValues.external, fields: ['port', 'number'], plausible: externalPortRange },
    entry.record,
  );
  const isPlain = entry.isInList && explicit.length === 0;
  const key = entry.isInList ? parseInteger(entry.key, 1, 65_535) : undefined;
  return matcher.number(portValues.external, entry, isPlain ? plain : explicit) ?? key;
}

function toPort(entry: Entry, matcher: Matcher): DedicatedPort {
  const { record } = entry;
  const vpsName = readOwner(portValues.vps, entry, matcher);
  const types = listCandidates({ ...portValues.protocol, fields: ['type'] }, record);
  // A `type` can also be the kind of the entry, such as `dedicated_port`.
  const protocols = types.filter(({ value }) => /^(tcp|udp|https?|tls|ssl)$/i.test(String(value)));
  const protocol = matcher.text(portValues.protocol, entry, [
    ...listCandidates(portValues.protocol, record),
    ...protocols,
  ]);
  const externalPort = readExternalPort(entry, matcher) ?? 0;
  const isOther = ({ value, path }: Candidate) => value !== externalPort || path.at(-1) !== 'port';
  const targetPort = matcher.number(
    portValues.target,
    entry,
    listCandidates(portValues.target, record).filter(isOther),
  );
  const id = parseInteger(findText(record, ['id', 'portid', 'dedicatedportid']));
  return omitUndefined({ externalPort, vpsName, protocol, targetPort, id, record });
}

function readOwner(known: KnownValue, entry: Entry, matcher: Matcher): string | undefined {
  const own = matcher.text(known, entry);
  return own === undefined && !matcher.mappingOf(known) ? entry.owner : own;
}

function toDomain(entry: Entry, matcher: Matcher): Domain {
  const vpsName = readOwner(domainValues.vps, entry, matcher);
  const domainName = readDomainName(domainValues.name, entry, matcher) ?? '';
  return omitUndefined({ domainName, vpsName, record: entry.record });
}

/** Reads backends: records, `VPS-10001:8080`, or a map from VPS to a record or port. */
function readBackends(content: unknown): readonly LoadBalancerBackend[] {
  if (isRecord(content) && isVpsName(findName(content))) return [toBackend(content)];
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([key, value]): readonly LoadBalancerBackend[] => {
    if (Array.isArray(value)) return readBackends(value);
    if (isRecord(value)) return [toBackend(isVpsName(key) ? { vps_name: key, ...value } : value)];
    const [name, port] = isVpsName(key) ? [key, value] : String(value).split(':');
    return isVpsName(name) ? [{ ...toBackend({ vps_name: name, port }), record: { [key]: value } }] : [];
  });
}

function toBackend(record: ServiceRecord): LoadBalancerBackend {
  const entry = { record, address: [] };
  const matcher = openMatcher(undefined);
  const vpsName = matcher.text(domainValues.vps, entry) ?? [findName(record)].find(isVpsName);
  const targetPort = matcher.number(portValues.target, entry);
  const weight = parseInteger(findText(record, ['weight']));
  const isBackup = findValues(record, ['isbackup', 'backup']).map(parseFlag)[0];
  return omitUndefined({ vpsName, targetPort, weight, isBackup, record });
}
