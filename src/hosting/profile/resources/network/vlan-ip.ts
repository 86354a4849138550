import { detectIpKind, isInCidr } from '../../values/addresses.ts';
import {
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
} from '../../values/records.ts';

const vlanIpPattern = /vlan.*ip|ip.*vlan/;
/** Matches names that can also mean another address. */
const plainIpPattern =
  /^((vps|private|current|own|assigned|internal|fixed)ip(v[46])?(address)?|ip|ipv4|ipaddress|ipamaddress|address|adresse)$/;
/** Matches names of ranges, and of addresses that belong to something else. */
const excludedPattern =
  /range|cidr|subnet|netmask|prefix|quota|limit|count|gateway|router|dns|nameserver|resolver|broadcast|next|free|available|first|last|start|end/;

const maxDepth = 3;

interface VlanIpSearch {
  readonly vpsName: string | undefined;
  /** The ranges of the VLANs. An address in a field with a plain name must be in one of them. */
  readonly ranges: readonly string[];
}

/** Finds the VLAN IP of a VPS in a record, as text, in a nested record, or in a map by VPS. */
export function findVlanIp(
  record: ServiceRecord,
  search: VlanIpSearch,
  depth = maxDepth,
): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    if (isAboutSomethingElse(field, search)) continue;
    const ip = readIpField(field, value, search);
    const inner = ip === undefined && depth > 0 ? findNested(value, search, depth - 1) : undefined;
    if (ip !== undefined || inner !== undefined) return ip ?? inner;
  }
  return undefined;
}

function isAboutSomethingElse(field: string, { vpsName }: VlanIpSearch): boolean {
  return (
    excludedPattern.test(normalizeFieldName(field)) ||
    (isVpsName(field) && normalizeVpsName(field) !== vpsName)
  );
}

function readIpField(field: string, value: unknown, { ranges }: VlanIpSearch): string | undefined {
  const ip = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  if (typeof ip !== 'string' || !detectIpKind(ip)) return undefined;
  const name = normalizeFieldName(field);
  const isCertain = isVpsName(field) || vlanIpPattern.test(name);
  return isCertain || (plainIpPattern.test(name) && isInRanges(ip, ranges)) ? ip : undefined;
}

/** Searches a record. In a list, searches the record that names the VPS, or the only record. */
function findNested(value: unknown, search: VlanIpSearch, depth: number): string | undefined {
  const records = (Array.isArray(value) ? value : [value]).filter(isRecord);
  const named = records.filter((record) =>
    Object.values(record).some((text) => isVpsName(text) && normalizeVpsName(text) === search.vpsName),
  );
  const [own, ...others] = named.length > 0 ? named : records;
  if (own === undefined || others.length > 0 || namesOtherVps(own, search.vpsName)) return undefined;
  return findVlanIp(own, search, depth);
}

function namesOtherVps(record: ServiceRecord, vpsName: string | undefined): boolean {
  const names = Object.values(record).filter(isVpsName).map(normalizeVpsName);
  return vpsName !== undefined && names.length > 0 && !names.includes(vpsName);
}

function isInRanges(ip: string, ranges: readonly string[]): boolean {
  return ranges.length === 0 || ranges.some((range) => isInCidr(ip, range));
}

/** Returns whether a payload says that the VPS has no VLAN IP, without showing an address beside that. */
export function saysNoVlanIp(record: ServiceRecord): boolean {
  return hasEmptyVlanIp(record, maxDepth) && !hasAddress(record, maxDepth);
}

function hasEmptyVlanIp(record: ServiceRecord, depth: number): boolean {
  return Object.entries(record).some(([field, value]) => {
    const name = normalizeFieldName(field);
    if (excludedPattern.test(name)) return false;
    if (isEmpty(value)) return vlanIpPattern.test(name) || plainIpPattern.test(name);
    return depth > 0 && isRecord(value) && hasEmptyVlanIp(value, depth - 1);
  });
}

function hasAddress(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return detectIpKind(value) !== undefined;
  if (depth < 0 || typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([field, inner]) => !excludedPattern.test(normalizeFieldName(field)) && hasAddress(inner, depth - 1),
  );
}
