import { addressKind } from './addresses.ts';
import { hintsAtMorePages } from './pages.ts';
import { type Place, standsIn, takeFrom } from './places.ts';
import {
  bare,
  canonicalName,
  isRecord,
  isVpsName,
  ownerOf,
  type ServiceRecord,
  textOf,
  valuesOf,
} from './records.ts';

type Kind = 'ipv4' | 'ipv6';

/** An address, or a range of them, that can be attached to a VPS. */
export interface IpResourceReading {
  readonly kind: Kind;
  /** What attach and detach name it by; absent where the payload lists nothing but addresses. */
  readonly id?: string;
  /** An address or a range, as the service writes it. */
  readonly address?: string;
  /** Absent while it is free. */
  readonly vpsName?: string;
  readonly record: ServiceRecord;
}

export interface IpResourceListReading {
  readonly resources: readonly IpResourceReading[];
  readonly mayHaveMore: boolean;
  /** What came beside the resources. */
  readonly rest: ServiceRecord;
}

const idFields = 'id ipid resourceid ipv4id ipv6id addressid identifier uuid'.split(' ');
const addressFields =
  'address ipaddress ip ipaddr addr ipv4address ipv6address ipv4 ipv6 cidr prefix subnet range network value'.split(
    ' ',
  );
const kindFields = ['version', 'ipversion', 'family', 'addressfamily', 'kind', 'type', 'protocol'];
const ownerField = /^(vps(name)?|attachedto|assignedto)$/;

/** Where addresses stand that are no resources. */
const otherPlace = /gateway|netmask|^dns|nameserver|resolver|broadcast|^(quotas?|usage|limits?|counts?)$/;
const ipPlace =
  /^(ips?|ipv[46]s?|ip[46]|v[46]|(ip(v[46])?)?address(es)?|.*ip(v[46])?address(es)?|ip(v[46])?(list|resources?))$/;

/** Reads the IP resources of the account, or of one VPS; `assumed` is their kind where nothing else tells. */
export function readIpResources(data: unknown, assumed?: Kind): IpResourceListReading {
  const resources: IpResourceReading[] = [];
  const rest = takeFrom(data, (value, place) => {
    const resource = standsIn(place, otherPlace) ? undefined : resourceIn(value, place, assumed);
    if (resource) resources.push(resource);
    return resource !== undefined;
  });
  return { resources, mayHaveMore: hintsAtMorePages(data, resources.length), rest };
}

function resourceIn(value: unknown, place: Place, assumed: Kind | undefined): IpResourceReading | undefined {
  const key = place.isEntry ? undefined : place.path.at(-1);
  if (isRecord(value)) return resourceInRecord(value, { place, key, assumed });
  const keyKind = addressKind(key);
  if (key !== undefined && keyKind && typeof value !== 'object') {
    const vpsName = isVpsName(value) ? canonicalName(value) : undefined;
    return { kind: keyKind, address: key, ...(vpsName && { vpsName }), record: { [key]: value } };
  }
  const kind = addressKind(value);
  const isResource = kind && (place.isEntry || ipPlace.test(bare(key ?? '')));
  if (!isResource || typeof value !== 'string') return undefined;
  return {
    kind,
    address: value,
    ...(place.vpsName && { vpsName: place.vpsName }),
    record: { [key ?? 'address']: value },
  };
}

interface Surroundings {
  readonly place: Place;
  /** The field that the record stands in, if it is no entry of a list. */
  readonly key: string | undefined;
  readonly assumed: Kind | undefined;
}

function resourceInRecord(
  record: ServiceRecord,
  { place, key, assumed }: Surroundings,
): IpResourceReading | undefined {
  const addresses = addressesIn(record);
  const address = addresses[0] ?? (addressKind(key) ? key : undefined);
  const id = textOf(record, idFields) ?? (isIdentifier(key) ? key : undefined);
  // A record with an address of each kind is about something that has both.
  if (new Set(addresses.map(addressKind)).size > 1) return undefined;
  if (address === undefined && (id === undefined || !standsIn(place, ipPlace) || holdsLists(record)))
    return undefined;
  const kind = addressKind(address) ?? kindIn(record) ?? kindAround(place) ?? assumed;
  const isOwnerTold = Object.keys(record).some((field) => ownerField.test(bare(field)));
  const vpsName = isOwnerTold ? ownerOf(record) : (ownerOf(record) ?? place.vpsName);
  return {
    kind: kind ?? (/^\d+$/.test(id ?? '') ? 'ipv4' : 'ipv6'),
    ...(id !== undefined && { id }),
    ...(address !== undefined && { address }),
    ...(vpsName !== undefined && { vpsName }),
    record: key !== undefined && key === address ? { [key]: record } : record,
  };
}

function addressesIn(record: ServiceRecord): string[] {
  return valuesOf(record, addressFields)
    .flatMap((value) => (isRecord(value) ? valuesOf(value, addressFields) : [value]))
    .flatMap((value) => (typeof value === 'string' && addressKind(value) ? [value] : []));
}

/** Tells whether a key in a map names a resource, and not what the resource is for. */
function isIdentifier(key: string | undefined): boolean {
  return (
    key !== undefined && /\d/.test(key) && !ipPlace.test(bare(key)) && !isVpsName(key) && !addressKind(key)
  );
}

function holdsLists(record: ServiceRecord): boolean {
  return Object.values(record).some((value) => Array.isArray(value) && value.some(isRecord));
}

function kindIn(record: ServiceRecord): Kind | undefined {
  return kindInText(kindFields.map((field) => textOf(record, [field]) ?? '').join(' '));
}

function kindAround({ path }: Place): Kind | undefined {
  return path
    .map((field) => kindInText(ipPlace.test(bare(field)) ? field : ''))
    .findLast((kind) => kind !== undefined);
}

/** Reads `ipv6`, `IPv6`, `inet6`, `v6`, `6`. */
function kindInText(text: string): Kind | undefined {
  const [, version] = /(?:^|ip|v|inet|\s)([46])(?!\d)/i.exec(text) ?? [];
  return version === undefined ? undefined : version === '4' ? 'ipv4' : 'ipv6';
}
