import { extractFrom, isUnderField, type PayloadLocation } from '../../payload/extraction.ts';
import { hasMorePages } from '../../payload/pagination.ts';
import { addDuplicates, findUnreadParts } from '../../payload/unread-parts.ts';
import { openPlaces, type Places } from '../../readings/places.ts';
import type { Reading } from '../../readings/reading.ts';
import { ipReadings } from '../../readings/resource-readings.ts';
import { detectIpKind } from '../../values/addresses.ts';
import {
  type FoundText,
  findFields,
  findText,
  isRecord,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
} from '../../values/records.ts';
import {
  findOwnerField,
  type IpAttachment,
  isSilent,
  readAttachment,
  readMappedAttachment,
} from './ip-attachment.ts';

type IpKind = 'ipv4' | 'ipv6';

/** An IP address or range that can be attached to a VPS. */
export interface IpResource extends IpAttachment {
  readonly kind: IpKind;
  /** The ID used to attach and detach. Undefined if the payload lists only addresses. */
  readonly id?: string;
  /** The address as the service writes it. */
  readonly address?: string;
  readonly record: ServiceRecord;
}

export interface IpResourceList {
  readonly resources: readonly IpResource[];
  readonly hasMore: boolean;
  /** The payload without the addresses. */
  readonly otherFields: ServiceRecord;
}

const kindFields = ['version', 'ipversion', 'family', 'addressfamily', 'kind', 'type', 'protocol'];

/** Fields whose addresses can't be attached. */
const excludedFieldPattern =
  /gateway|netmask|^dns|nameserver|resolver|broadcast|^r(everse)?dns|^ptr|^(quotas?|usage|limits?|counts?)$/;
const ipFieldPattern =
  /^((public|private|floating|elastic)?ips?|ipv[46]s?|ip[46]|v[46]|(ip(v[46])?)?address(es)?|.*ip(v[46])?address(es)?|ip(v[46])?(list|resources?))$/;

/**
 * Reads the IP addresses of the account or of one VPS. `defaultKind` is the kind of the account's
 * addresses if the payload doesn't contain it. Leave it out for the addresses of a VPS.
 */
export function readIpResources(data: unknown, defaultKind?: IpKind): IpResourceList {
  const readings = defaultKind === undefined ? ipReadings.vps : ipReadings.account;
  const source: IpSource = { places: openPlaces(data), readings, defaultKind };
  const resources: IpResource[] = [];
  const otherFields = extractFrom(data, (value, location) => {
    const found = isUnderField(location, excludedFieldPattern) ? [] : toIpResources(value, location, source);
    resources.push(...found);
    return found.length > 0;
  });
  return {
    resources: inferFree(deduplicate(resources)),
    hasMore: hasMorePages(data, resources.length),
    otherFields,
  };
}

/** Merges plain addresses with other entries of the same address. */
function deduplicate(resources: readonly IpResource[]): readonly IpResource[] {
  const mains = new Map<string | undefined, IpResource>();
  const plainRecords = new Map<string | undefined, ServiceRecord>();
  for (const resource of resources) {
    const { address, record } = resource;
    const isFirst = !mains.has(address);
    if (isFirst || !isPlain(resource)) mains.set(address, resource);
    if (isPlain(resource)) plainRecords.set(address, { ...record, ...plainRecords.get(address) });
  }
  return resources.flatMap((resource) => {
    const isMain = mains.get(resource.address) === resource;
    if (!isMain && isPlain(resource)) return [];
    if (!isMain) return [resource];
    const plain = plainRecords.get(resource.address) ?? {};
    const record = { ...plain, ...resource.record };
    return [{ ...resource, record: addDuplicates(record, findUnreadParts(plain, [record])) }];
  });
}

/** Returns whether only the address itself is known. */
function isPlain({ address, record }: IpResource): boolean {
  return address !== undefined && Object.values(record).every((value) => value === address);
}

/** Marks addresses without an owner as free, if the list names the owners of others. */
function inferFree(resources: readonly IpResource[]): readonly IpResource[] {
  const namesOwners = resources.some(
    ({ isAttached, record }) => isAttached && findOwnerField(record) !== undefined,
  );
  if (!namesOwners) return resources;
  return resources.map((resource) =>
    resource.isAttached === undefined && isSilent(resource.record)
      ? { ...resource, isAttached: false }
      : resource,
  );
}

interface IpSource {
  readonly places: Places;
  readonly readings: { readonly address: Reading; readonly id: Reading; readonly free?: Reading };
  readonly defaultKind: IpKind | undefined;
}

function toIpResources(value: unknown, location: PayloadLocation, source: IpSource): readonly IpResource[] {
  const key = location.isListItem ? undefined : location.path.at(-1);
  if (isRecord(value)) {
    const resource = recordToIpResource(value, { ...source, location, key });
    return resource ? [resource] : [];
  }
  const keyKind = detectIpKind(key);
  if (key !== undefined && keyKind && (value === null || typeof value !== 'object')) {
    return [{ kind: keyKind, address: key, ...readMappedAttachment(value), record: { [key]: value } }];
  }
  if (typeof value !== 'string') return [];
  const addresses = splitAddresses(value);
  const kinds = addresses.map(detectIpKind);
  const isNamed =
    location.isListItem || ipFieldPattern.test(normalizeFieldName(key ?? '')) || isIpMap(location);
  if (!isNamed || addresses.length === 0 || kinds.includes(undefined)) return [];
  const id = addresses.length === 1 && isIpMap(location) ? key : undefined;
  return addresses.map((address, index) => ({
    kind: kinds[index] ?? 'ipv4',
    ...(id !== undefined && { id }),
    address,
    ...readAttachment({}, location),
    record: { [key ?? 'address']: address },
  }));
}

/** Returns whether a value is in a map from IDs to addresses: `{ ips: { 881: '192.0.2.1' } }`. */
function isIpMap({ path, isListItem }: PayloadLocation): boolean {
  const [parent = '', key] = path.slice(-2);
  return (
    !isListItem && path.length > 1 && isIdentifier(key) && ipFieldPattern.test(normalizeFieldName(parent))
  );
}

interface ResourceContext extends IpSource {
  readonly location: PayloadLocation;
  /** The record's field name or map key. Undefined for an entry of a list. */
  readonly key: string | undefined;
}

function recordToIpResource(
  record: ServiceRecord,
  { location, key, defaultKind, places, readings }: ResourceContext,
): IpResource | undefined {
  const addresses = listAddresses(record, readings.address.fields ?? []);
  // A record with addresses of both kinds, or with a list of addresses, describes something else,
  // such as a VPS.
  const kinds = new Set(addresses.map(({ value }) => detectIpKind(value)));
  if (kinds.size > 1 || hasAddressList(record) || isRangeWithAddresses(record)) return undefined;
  const found = places.findText(readings.address, record, () => addresses);
  const isChosen = places.correctionOf(readings.address) !== undefined;
  const id = places.findText(readings.id, record) ?? (isIdentifier(key) ? key : undefined);
  const named = [key, id].find((name) => detectIpKind(name) !== undefined);
  const address = found ?? (isChosen ? undefined : named);
  const isIdAlone = id !== undefined && isUnderField(location, ipFieldPattern) && !hasUnreadParts(record);
  if (address === undefined && !isIdAlone) return undefined;
  const owner = findOwnerField(record);
  if (owner !== undefined && readings.free)
    places.note(readings.free, { record, path: [owner], isCertain: true });
  const kind = detectIpKind(address) ?? findKind(record) ?? findKindInPath(location) ?? defaultKind;
  return {
    kind: kind ?? (/^\d+$/.test(id ?? '') ? 'ipv4' : 'ipv6'),
    ...(id !== undefined && { id }),
    ...(address !== undefined && { address }),
    ...readAttachment(record, location),
    record: key !== undefined && key === address ? { [key]: record } : record,
  };
}

function listAddresses(record: ServiceRecord, names: readonly string[]): readonly FoundText[] {
  return findFields(record, names)
    .flatMap(({ field, value }) =>
      isRecord(value)
        ? findFields(isRangeWithAddresses(value) ? {} : value, names).map((inner) => ({
            path: [field, inner.field],
            value: inner.value,
          }))
        : [{ path: [field], value }],
    )
    .flatMap(({ path, value }) =>
      typeof value === 'string' && detectIpKind(value) ? [{ path, value }] : [],
    );
}

/** Returns whether a map key is the ID of an address, and not its role. */
function isIdentifier(key: string | undefined): boolean {
  return (
    key !== undefined &&
    /\d/.test(key) &&
    !ipFieldPattern.test(normalizeFieldName(key)) &&
    !isVpsName(key) &&
    !detectIpKind(key)
  );
}

function hasAddressList(record: ServiceRecord): boolean {
  return Object.entries(record).some(([field, value]) => {
    const name = normalizeFieldName(field);
    if (!ipFieldPattern.test(name) || excludedFieldPattern.test(name)) return false;
    const items = typeof value === 'string' ? splitAddresses(value) : value;
    return (
      Array.isArray(items) && items.length > 1 && items.some((item) => detectIpKind(item) || isRecord(item))
    );
  });
}

const rangeFieldPattern = /^(ip(v[46])?|v[46])?(subnet|prefix|cidr|network|range)$/;

/** Returns whether a record has a range and a list of the addresses in it. The range isn't an address itself. */
function isRangeWithAddresses(record: ServiceRecord): boolean {
  const fields = Object.entries(record).map(([field, value]) => ({ name: normalizeFieldName(field), value }));
  const addresses = fields.filter(({ name, value }) => ipFieldPattern.test(name) && value !== null);
  return (
    fields.some(({ name, value }) => rangeFieldPattern.test(name) && value !== null) &&
    addresses.length > 0 &&
    addresses.every(({ value }) => Array.isArray(value))
  );
}

function splitAddresses(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}

/** Returns whether a record without a known address has lists, or an address in an unknown field. */
function hasUnreadParts(record: ServiceRecord): boolean {
  return Object.entries(record).some(([field, value]) =>
    Array.isArray(value)
      ? value.some(isRecord)
      : detectIpKind(value) !== undefined && !excludedFieldPattern.test(normalizeFieldName(field)),
  );
}

function findKind(record: ServiceRecord): IpKind | undefined {
  return parseKind(kindFields.map((field) => findText(record, [field]) ?? '').join(' '));
}

function findKindInPath({ path }: PayloadLocation): IpKind | undefined {
  return path
    .map((field) => parseKind(ipFieldPattern.test(normalizeFieldName(field)) ? field : ''))
    .findLast((kind) => kind !== undefined);
}

/** Parses `ipv6`, `IPv6`, `inet6`, `v6` or `6`. */
function parseKind(text: string): IpKind | undefined {
  const [, version] = /(?:^|ip|v|inet|\s)([46])(?!\d)/i.exec(text) ?? [];
  return version === undefined ? undefined : version === '4' ? 'ipv4' : 'ipv6';
}
