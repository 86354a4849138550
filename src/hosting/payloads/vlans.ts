import { detectIpKind, isInCidr } from './addresses.ts';
import { type Entry, findEntries } from './entries.ts';
import { listAt, parseAddress } from './field-address.ts';
import { vlanValues } from './known-values.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import {
  findText,
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
  const { entries, otherFields } = findEntries(data, {
    listNames: /^(vlans?|vlanlist|networks?|privatenetworks|accountvlans|vpcs)$/,
    matcher,
    name: vlanValues.id,
    isCertain: (entry) =>
      [vlanValues.id, vlanValues.range].every((known) => matcher.read(known, entry) !== undefined),
    isPossible: (entry) => readId(entry, matcher) !== undefined,
  });
  const requested = vpsName ?? findText(otherFields, ['vpsname', 'vps', 'name']);
  const vps = requested === undefined ? undefined : normalizeVpsName(requested);
  const listed = entries.flatMap((entry) => toVlan(entry, matcher, vps));
  const besideIp =
    readMappedIp(data, matcher) ??
    findVlanIp(
      otherFields,
      vps,
      listed.flatMap(({ ipRange }) => ipRange ?? []),
    );
  const isIpMapped = matcher.mappingOf(vlanValues.ip) !== undefined;
  const vlans = listed.map((vlan): Vlan => {
    const isAttached = vlan.isAttached ?? isIn(besideIp, vlan.ipRange);
    return isAttached === undefined || matcher.mappingOf(vlanValues.attached)
      ? vlan
      : { ...vlan, isAttached };
  });
  const attached = vlans.filter(({ isAttached }) => isAttached);
  const innerIp = attached
    .map(({ record, ipRange }) => findVlanIp(record, vps, ipRange ? [ipRange] : []))
    .find((ip) => ip !== undefined);
  const isNone = attached.length === 0 && saysNoVlanIp(otherFields);
  const vpsIp = isIpMapped
    ? readMappedIp(data, matcher)
    : (besideIp ?? innerIp ?? (isNone ? null : undefined));
  return omitUndefined({ vlans, vpsIp, hasMore: hasMorePages(data, vlans.length), otherFields });
}

function readMappedIp(data: unknown, matcher: Matcher): string | undefined {
  const mapping = matcher.mappingOf(vlanValues.ip);
  return (
    mapping &&
    listAt(data, parseAddress(mapping.field) ?? [])
      .map(toText)
      .find(detectIpKind)
  );
}

/** In a list of VLANs, a VLAN without an ID is identified by its key or name. */
function readId(entry: Entry, matcher: Matcher): string | undefined {
  const id = matcher.text(vlanValues.id, entry);
  if (id !== undefined || matcher.mappingOf(vlanValues.id)) return id;
  const hasOtherId = Object.keys(entry.record).some((field) => /id$/i.test(field));
  return hasOtherId ? undefined : findText(entry.record, ['name', 'vlanname']);
}

function toVlan(entry: Entry, matcher: Matcher, vps: string | undefined): readonly Vlan[] {
  const id = readId(entry, matcher);
  if (id === undefined) return [];
  const name = matcher.text(vlanValues.name, entry);
  const ipRange = matcher.text(vlanValues.range, entry);
  const isAttached = matcher.flag(vlanValues.attached, entry) ?? readMembership(entry.record, vps);
  return [omitUndefined({ id, name, ipRange, isAttached, record: entry.record })];
}

function isIn(ip: string | undefined, range: string | undefined): boolean | undefined {
  return ip === undefined || range === undefined ? undefined : isInCidr(ip, range);
}

const memberFields = /^(vps|vpsnames|members|attachedvps|servers|instances|attachedto)$/;

/** Returns whether the VPS is among a VLAN's members. Returns undefined if the members aren't VPS names. */
function readMembership(record: ServiceRecord, vps: string | undefined): boolean | undefined {
  const lists = Object.entries(record)
    .filter(([field, value]) => memberFields.test(normalizeFieldName(field)) && typeof value === 'object')
    .map(([, list]) => (Array.isArray(list) ? list : Object.keys(list ?? {})));
  if (lists.length === 0 || vps === undefined) return undefined;
  const names = lists.flat().map((member: unknown) => {
    const name = isRecord(member)
      ? (findText(member, ['vpsname']) ?? Object.values(member).find(isVpsName))
      : member;
    return normalizeVpsName(toText(name) ?? '');
  });
  return names.includes(vps) ? true : names.every(isVpsName) ? false : undefined;
}

const vlanIpName = /vlan.*ip|ip.*vlan/;
/** Matches names that can also mean another address. */
const plainIpName =
  /^((vps|private|current|own|assigned|internal|fixed)ip(v[46])?(address)?|ip|ipv4|ipaddress|address)$/;
/** Matches names of ranges, and of addresses that belong to something else. */
const excludedName =
  /range|cidr|subnet|netmask|prefix|quota|limit|count|gateway|router|dns|nameserver|resolver|broadcast|next|free|available|first|last|start|end/;

/**
 * Finds the VLAN IP of a VPS in a record. In a field with a plain name, it must be in one of the
 * VLANs' ranges. In a list of records, it is in the only one, or in that of the VPS.
 */
function findVlanIp(
  record: ServiceRecord,
  vps: string | undefined,
  ranges: readonly string[],
  depth = 3,
): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    const name = normalizeFieldName(field);
    const isOther = isVpsName(field) && normalizeVpsName(field) !== vps;
    if (isOther || excludedName.test(name)) continue;
    const [only, ...more] = [value].flat();
    const isAddress = typeof only === 'string' && more.length === 0 && detectIpKind(only) !== undefined;
    const isInRange = isAddress && (ranges.length === 0 || ranges.some((range) => isInCidr(only, range)));
    if (isAddress && (isVpsName(field) || vlanIpName.test(name) || (isInRange && plainIpName.test(name))))
      return only;
    const inner = depth > 0 ? pickOwn([value].flat().filter(isRecord), vps) : undefined;
    const ip = inner && findVlanIp(inner, vps, ranges, depth - 1);
    if (ip !== undefined) return ip;
  }
  return undefined;
}

/** Returns the record that names the VPS, or the only record if it names none. */
function pickOwn(records: readonly ServiceRecord[], vps: string | undefined): ServiceRecord | undefined {
  const namesOf = (record: ServiceRecord) => Object.values(record).filter(isVpsName).map(normalizeVpsName);
  const named = records.filter((record) => vps !== undefined && namesOf(record).includes(vps));
  const unnamed = records.filter((record) => vps === undefined || namesOf(record).length === 0);
  const [own, ...others] = named.length > 0 ? named : unnamed;
  return others.length > 0 || (named.length === 0 && records.length > 1) ? undefined : own;
}

/** Returns whether a payload says that the VPS has no VLAN IP. */
function saysNoVlanIp(record: ServiceRecord): boolean {
  return Object.entries(record).some(
    ([field, value]) => isEmpty(value) && vlanIpName.test(normalizeFieldName(field)),
  );
}
