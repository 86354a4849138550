import { isRecord, type ServiceRecord } from '../../hosting/payloads/record.ts';
import type { Vlan } from '../../hosting/payloads/vlans.ts';
import { isVpsName, normalizeVpsName } from '../../hosting/payloads/vps-name.ts';
import type { Fact, Value } from '../define/outcome.ts';

/** Normalized names of VLAN fields that have their own column or fact and are left out of other lists. */
export const shownVlanFields =
  /^(id|vlanid|uuid|identifier|(vlan)?name|label|title|(ip)?range|cidr|subnet|network|(is)?(attached|associated))$/;

/** Maximum depth of the search for VPS in a VLAN's record. */
const maxDepth = 4;

/** Returns the names of all VPS that a VLAN's record mentions, in any field. */
export function listMembers(record: ServiceRecord): readonly string[] {
  return [...new Set(findVpsNames(record, maxDepth))];
}

/** Removes lists that contain only VPS names, because the VPS are shown separately. */
export function withoutMembers(record: ServiceRecord): ServiceRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => !(Array.isArray(value) && value.every(isVpsName))),
  );
}

function findVpsNames(value: unknown, depth: number): readonly string[] {
  if (isVpsName(value)) return [normalizeVpsName(value)];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  const keys = isRecord(value) ? Object.keys(value).filter(isVpsName).map(normalizeVpsName) : [];
  return [...keys, ...Object.values(value).flatMap((inner) => findVpsNames(inner, depth - 1))];
}

/** Formats a VPS's IP address in a VLAN: `null` if it has none, undefined if the service doesn't show it. */
export function formatVlanIp(ip: string | null | undefined): Value {
  if (typeof ip === 'string') return { kind: 'code', code: ip };
  return ip === null ? 'none' : 'not shown';
}

export function createIdFact(id: string): Fact {
  return { label: 'VLAN ID', value: { kind: 'code', code: id } };
}

export const membersLabel = 'Attached VPS';

/** Returns the facts about a VLAN for a confirmation that concerns one VPS. */
export function formatVlan(
  { id, name, ipRange, isAttached, record }: Vlan,
  viewer: { readonly vpsName: string; readonly ip: string | null | undefined },
): readonly Fact[] {
  const members = listMembers(record);
  return [
    ...(name === undefined ? [] : [{ label: 'VLAN', value: name }]),
    { label: 'ID', value: { kind: 'code', code: id } },
    ...(ipRange === undefined ? [] : [{ label: 'Range', value: { kind: 'code', code: ipRange } as const }]),
    ...(isAttached && typeof viewer.ip === 'string'
      ? [{ label: `VLAN IP of ${viewer.vpsName}`, value: { kind: 'code', code: viewer.ip } as const }]
      : []),
    { label: membersLabel, value: members.join(', ') || (isAttached ? viewer.vpsName : 'none shown') },
  ];
}
