import { externalPortRange } from '../../../endpoints/fields.ts';
import { extractFrom, isUnderField, type PayloadLocation } from '../../payload/extraction.ts';
import { hasMorePages } from '../../payload/pagination.ts';
import { type FieldCandidate, listDeclaredFields, openPlaces, type Places } from '../../readings/places.ts';
import { type Reading, rankField } from '../../readings/reading.ts';
import { balancerReadings, domainReadings, portReadings } from '../../readings/service-readings.ts';
import { detectIpKind } from '../../values/addresses.ts';
import { parseInteger } from '../../values/numbers.ts';
import {
  findValues,
  isRecord,
  isVpsName,
  listOwners,
  normalizeFieldName,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';
import { type LoadBalancerBackend, readBackends } from './load-balancer-backends.ts';

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
  const places = openPlaces(data);
  const domains: Domain[] = [];
  const ports: DedicatedPort[] = [];
  const loadBalancers: LoadBalancer[] = [];
  const otherFields = extractFrom(data, (value, location) => {
    if (isUnderField(location, excludedFieldPattern)) return false;
    const record = toRecord(value, location);
    if (record === undefined) return false;
    const loadBalancer = toLoadBalancer(record, location, places);
    if (loadBalancer) return loadBalancers.push(loadBalancer) > 0;
    // The ports of a load balancer aren't dedicated ports.
    if (isUnderField(location, loadBalancerFieldPattern)) return false;
    const port = toDedicatedPort(record, location, places);
    if (port) return ports.push(port) > 0;
    const domain = toDomain(record, location, places);
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

function toLoadBalancer(
  record: ServiceRecord,
  location: PayloadLocation,
  places: Places,
): LoadBalancer | undefined {
  const isAmongBalancers = findGroup(location) === 'balancers';
  const backends = listDeclaredFields(balancerReadings.backends, record).map(({ value }) => value);
  const isBalancer =
    backends.some((value) => typeof value === 'object') ||
    isAmongBalancers ||
    findValues(record, loadBalancerFields).length > 1;
  const domainName = isBalancer
    ? findDomainName(balancerReadings.domain, record, isAmongBalancers, places)
    : undefined;
  if (domainName === undefined) return undefined;
  for (const { field } of listDeclaredFields(balancerReadings.backends, record))
    places.note(balancerReadings.backends, { record, path: [field], isCertain: true });
  const mode = places.findText(balancerReadings.mode, record);
  const stickyMode = places.findText(balancerReadings.sticky, record);
  return {
    domainName,
    ...(mode !== undefined && { mode }),
    ...(stickyMode !== undefined && { stickyMode }),
    backends: backends.flatMap(readBackends),
    record,
  };
}

function toDedicatedPort(
  record: ServiceRecord,
  location: PayloadLocation,
  places: Places,
): DedicatedPort | undefined {
  const explicit = listPorts(portReadings.external, record);
  // A plain `port` is the external port if it is in the range of external ports.
  const isAmongPorts = findGroup(location) === 'ports';
  const plain =
    isAmongPorts && explicit.length === 0
      ? listPorts(
          { ...portReadings.external, fields: ['port', 'number'], plausible: externalPortRange },
          record,
        )
      : [];
  const externalPort = places.findNumber(portReadings.external, record, () => [...explicit, ...plain]);
  if (externalPort === undefined) return undefined;
  const vpsName = readOwner(portReadings.vps, record, location, places);
  const protocol = places.findText(portReadings.protocol, record, () => listProtocols(record));
  const target =
    explicit.length === 0
      ? portReadings.target
      : { ...portReadings.target, fields: [...portReadings.target.fields, 'port'] };
  const targetPort = places.findNumber(portReadings.target, record, () => listPorts(target, record));
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

/** Lists the protocols of a port. A `type` can also be the kind of the entry, such as `dedicated_port`. */
function listProtocols(record: ServiceRecord): readonly FieldCandidate<string>[] {
  return listDeclaredFields(portReadings.protocol, record).flatMap(({ field, value }) => {
    const text = toText(value);
    const isKind = normalizeFieldName(field) === 'type' && !protocolPattern.test(text ?? '');
    return text === undefined || isKind ? [] : [{ path: [field], value: text }];
  });
}

const protocolPattern = /^(tcp|udp|https?|tls|ssl|wss?|grpc|any|all)([ /+,&]|and|$)/i;

function listPorts(reading: Reading, record: ServiceRecord): readonly FieldCandidate<number>[] {
  const { min = 1, max = 65_535 } = reading.plausible ?? {};
  return listDeclaredFields(reading, record).flatMap(({ field, value }) => {
    const port = parseInteger(value, min, max);
    return port === undefined ? [] : [{ path: [field], value: port }];
  });
}

function readOwner(
  reading: Reading,
  record: ServiceRecord,
  location: PayloadLocation,
  places: Places,
): string | undefined {
  const own = places.findText(reading, record, () => listOwners(record));
  const isChosen = places.correctionOf(reading) !== undefined;
  return own === undefined && !isChosen ? location.vpsName : own;
}

function toDomain(record: ServiceRecord, location: PayloadLocation, places: Places): Domain | undefined {
  const domainName = findDomainName(domainReadings.name, record, findGroup(location) === 'domains', places);
  if (domainName === undefined) return undefined;
  const vpsName = readOwner(domainReadings.vps, record, location, places);
  return { domainName, ...(vpsName !== undefined && { vpsName }), record };
}

/** Returns the domain name of a record. Inside a list of domains, any name field will do. */
function findDomainName(
  reading: Reading,
  record: ServiceRecord,
  isInGroup: boolean,
  places: Places,
): string | undefined {
  return places.findText(reading, record, () =>
    listDeclaredFields(reading, record)
      .flatMap(({ field, value }) => {
        const text = toText(value);
        return text === undefined
          ? []
          : [{ path: [field], value: text, isClear: rankField(reading, field) < 2 }];
      })
      .filter(({ value, isClear }) => (isClear || isInGroup) && isDomainName(value)),
  );
}
