import { canonicalName, isRecord, isVpsName, type ServiceRecord } from '../../hosting/readings/records.ts';
import type { VlanReading } from '../../hosting/readings/vlans.ts';
import type { Fact } from '../outcome.ts';

/** Bare names of the fields that tell what is shown of a VLAN anyway. */
export const shownOfVlan =
  /^(id|vlanid|uuid|identifier|(vlan)?name|label|title|(ip)?range|cidr|subnet|network|(is)?(attached|associated))$/;

/** How deep the VPS in a VLAN may stand in its record. */
const mostDepth = 4;

/** Lists the VPS that a record of a VLAN names, in whatever field it does. */
export function membersOf(record: ServiceRecord): readonly string[] {
  return [...new Set(namesIn(record, mostDepth))];
}

/** Leaves out of a record the lists that hold nothing but its VPS, which are told apart. */
export function besidesMembers(record: ServiceRecord): ServiceRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => !(Array.isArray(value) && value.every(isVpsName))),
  );
}

function namesIn(value: unknown, depth: number): readonly string[] {
  if (isVpsName(value)) return [canonicalName(value)];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  const keys = isRecord(value) ? Object.keys(value).filter(isVpsName).map(canonicalName) : [];
  return [...keys, ...Object.values(value).flatMap((inner) => namesIn(inner, depth - 1))];
}

/** Tells the identifier beside a name. */
export function idFact(id: string): Fact {
  return { label: 'VLAN ID', value: { code: id } };
}

/** Describes a VLAN as it is, as seen from a VPS. */
export function factsOfVlan(
  { id, name, ipRange, attached, record }: VlanReading,
  seen: { readonly vpsName: string; readonly ip: string | undefined },
): readonly Fact[] {
  const members = membersOf(record);
  return [
    ...(name === undefined ? [] : [{ label: 'VLAN', value: name }]),
    { label: 'ID', value: { code: id } },
    ...(ipRange === undefined ? [] : [{ label: 'Range', value: { code: ipRange } }]),
    ...(attached && seen.ip !== undefined
      ? [{ label: `VLAN IP of ${seen.vpsName}`, value: { code: seen.ip } }]
      : []),
    { label: 'VPS in it', value: members.join(', ') || (attached ? seen.vpsName : 'none shown') },
  ];
}
