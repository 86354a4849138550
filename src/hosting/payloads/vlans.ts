import { BlockList, isIP, isIPv4 } from 'node:net';
import { type Entry, findEntries } from './entries.ts';
import { vlanValues } from './known-values.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import {
  detectIpKind,
  isEmpty,
  isRecord,
  normalizeFieldName,
  omitUndefined,
  type ServiceRecord,
  toText,
} from './record.ts';

export interface Vlan {
  /** The ID for attaching, detaching and deleting. */
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
  /** The requested VPS's VLAN IP. `null` if the service says that it has none. */
  readonly vpsIp?: string | null;
  readonly hasMore: boolean;
  /** The payload without the list, such as `vlan_quota` and bandwidth. */
  readonly otherFields: ServiceRecord;
}

/** Reads the account's VLANs, and which of them the requested VPS is in. */
export function readVlans(data: unknown): VlanList {
  const matcher = openMatcher(data);
  const { id, range } = vlanValues;
  const { entries, otherFields } = findEntries(data, {
    listNames: /^(vlans?|vlanlist|networks?|privatenetworks|accountvlans|vpcs)$/,
    matcher,
    name: id,
    isCertain: (entry, trial) => [id, range].every((known) => trial.read(known, entry) !== undefined),
    isPossible: (entry, trial) => trial.text(id, entry) !== undefined,
  });
  const vpsIp = readVlanIp(otherFields);
  const vlans = entries.flatMap((entry) => toVlan(entry, matcher, vpsIp));
  return omitUndefined({ vlans, vpsIp, hasMore: hasMorePages(data, vlans.length), otherFields });
}

function toVlan(entry: Entry, matcher: Matcher, vpsIp: string | null | undefined): readonly Vlan[] {
  const id = matcher.text(vlanValues.id, entry);
  if (id === undefined) return [];
  const name = matcher.text(vlanValues.name, entry);
  const ipRange = matcher.text(vlanValues.range, entry);
  const isMapped = matcher.mappingOf(vlanValues.attached) !== undefined;
  const isInRange = vpsIp && ipRange !== undefined ? isInCidr(vpsIp, ipRange) : undefined;
  const isAttached = matcher.flag(vlanValues.attached, entry) ?? (isMapped ? undefined : isInRange);
  return [omitUndefined({ id, name, ipRange, isAttached, record: entry.record })];
}

/** Reads a VPS's VLAN IP from a field with a matching name. */
function readVlanIp(otherFields: ServiceRecord): string | null | undefined {
  const found = [otherFields, ...Object.values(otherFields).filter(isRecord)].flatMap(listVlanIps);
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

/** Returns whether an address, with or without a prefix length, is in a CIDR range. */
function isInCidr(address: string, range: string): boolean {
  const [network = '', prefix] = range.trim().split('/');
  const [host = ''] = address.trim().split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const length = Number(prefix);
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || !(length <= (family === 'ipv4' ? 32 : 128))) {
    return false;
  }
  const block = new BlockList();
  block.addSubnet(network, length, family);
  return block.check(host, family);
}
