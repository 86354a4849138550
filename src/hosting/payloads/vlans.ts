import { detectIpKind, isInCidr } from './addresses.ts';
import { type Entry, findEntries } from './entries.ts';
import { listAt, parseAddress } from './field-address.ts';
import { vlanValues } from './known-values.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import {
  isEmpty,
  isRecord,
  normalizeFieldName,
  omitUndefined,
  type ServiceRecord,
  toText,
} from './record.ts';
import { isVpsName, normalizeVpsName } from './vps-name.ts';

/** A VLAN in the account. */
export interface Vlan {
  /** The ID used to attach, detach and delete. */
  readonly id: string;
  readonly name?: string;
  /** The range in CIDR notation. */
  readonly ipRange?: string;
  /** Whether the requested VPS is in the VLAN. Undefined if the payload doesn't say. */
  readonly isAttached?: boolean;
  readonly record: ServiceRecord;
}

export interface VlanList {
  readonly vlans: readonly Vlan[];
  /** The VLAN IP of the requested VPS. `null` if the service says that it has none. */
  readonly vpsIp?: string | null;
  readonly hasMore: boolean;
  /** The payload without the list, such as `vlan_quota` and bandwidth. */
  readonly otherFields: ServiceRecord;
}

/** Reads the VLANs of the account, and which of them a VPS is in. */
export function readVlans(data: unknown, vpsName?: string): VlanList {
  const matcher = openMatcher(data);
  const { id, range } = vlanValues;
  const { entries, otherFields } = findEntries(data, {
    listNames: /^(vlans?|vlanlist|networks?|privatenetworks|accountvlans|vpcs)$/,
    matcher,
    name: id,
    isCertain: (entry) => [id, range].every((known) => matcher.read(known, entry) !== undefined),
    isPossible: (entry) => matcher.text(id, entry) !== undefined,
  });
  const vpsIp = readVlanIp(data, otherFields, matcher);
  const vlans = entries.flatMap((entry) => toVlan(entry, matcher, { vpsName, vpsIp }));
  return omitUndefined({ vlans, vpsIp, hasMore: hasMorePages(data, vlans.length), otherFields });
}

function toVlan(
  entry: Entry,
  matcher: Matcher,
  { vpsName, vpsIp }: { readonly vpsName: string | undefined; readonly vpsIp: string | null | undefined },
): readonly Vlan[] {
  const id = matcher.text(vlanValues.id, entry);
  if (id === undefined) return [];
  const name = matcher.text(vlanValues.name, entry);
  const ipRange = matcher.text(vlanValues.range, entry);
  const isMapped = matcher.mappingOf(vlanValues.attached) !== undefined;
  const isInRange = vpsIp && ipRange !== undefined ? isInCidr(vpsIp, ipRange) : undefined;
  const isAttached =
    matcher.flag(vlanValues.attached, entry) ??
    (isMapped ? undefined : (readMembership(entry.record, vpsName) ?? isInRange));
  return [omitUndefined({ id, name, ipRange, isAttached, record: entry.record })];
}

const memberFields = /^(vps|vpsnames|members|attachedvps|servers|instances|attachedto)$/;

/** Returns whether the VPS is among a VLAN's members. Returns undefined if the members aren't VPS names. */
function readMembership(record: ServiceRecord, vpsName: string | undefined): boolean | undefined {
  const lists = Object.entries(record).filter(([field]) => memberFields.test(normalizeFieldName(field)));
  const names = lists.flatMap(([, list]) => list).map((name) => normalizeVpsName(toText(name) ?? ''));
  if (lists.length === 0 || vpsName === undefined || !names.every(isVpsName)) return undefined;
  return names.includes(vpsName);
}

/** Reads the VLAN IP of a VPS from the field that a person chose, or else from the one with that name. */
function readVlanIp(data: unknown, otherFields: ServiceRecord, matcher: Matcher): string | null | undefined {
  const mapping = matcher.mappingOf(vlanValues.ip);
  const found = mapping
    ? listAt(data, parseAddress(mapping.field) ?? [])
    : [otherFields, ...Object.values(otherFields).filter(isRecord)].flatMap(listVlanIps);
  const ip = found.map(toText).find(detectIpKind);
  return ip ?? (found.length > 0 && found.every(isEmpty) ? null : undefined);
}

const vlanIpName = /vlan.*ip|ip.*vlan/;
/** Matches names of ranges, and of addresses that belong to something else. */
const excludedName =
  /range|cidr|subnet|netmask|prefix|quota|limit|count|gateway|dns|broadcast|next|free|available/;

function listVlanIps(record: ServiceRecord): readonly unknown[] {
  const names = Object.keys(record).filter((field) => {
    const name = normalizeFieldName(field);
    return vlanIpName.test(name) && !excludedName.test(name);
  });
  return names.flatMap((field) => record[field] ?? [null]);
}
