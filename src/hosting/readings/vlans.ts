import { addressKind, isRange, liesIn } from './addresses.ts';
import { findList, type ListKind } from './lists.ts';
import { asText, bare, canonicalName, isRecord, type ServiceRecord, textOf, valuesOf } from './records.ts';

/** A VLAN of the account. */
export interface VlanReading {
  /** What attach, detach and delete name it by. */
  readonly id: string;
  readonly name?: string;
  /** CIDR. */
  readonly ipRange?: string;
  /** Whether the VPS that was asked about is in it; absent where the payload does not tell. */
  readonly attached?: boolean;
  readonly record: ServiceRecord;
}

export interface VlanListReading {
  readonly vlans: readonly VlanReading[];
  /** The VLAN IP of the VPS that was asked about. */
  readonly ipOfVps?: string;
  readonly mayHaveMore: boolean;
  /** Whatever came beside the list: `vlan_quota`, bandwidth. */
  readonly quotas: ServiceRecord;
}

const idFields = ['id', 'vlanid', 'uuid', 'identifier', 'tag', 'vid'];
const rangeFields = ['iprange', 'range', 'cidr', 'subnet', 'network', 'prefix', 'ipv4range', 'ipv6range'];
const attachedFields = ['attached', 'isattached', 'associated', 'isassociated', 'connected', 'assigned'];
const memberFields = ['vps', 'vpsnames', 'members', 'attachedvps', 'servers', 'attachedto', 'addresses'];
const ownIdFields = ['vlanid', 'currentvlanid', 'attachedvlanid', 'currentvlan', 'attachedvlan', 'vlan'];
const ownIpField =
  /^(.*vlan.*ip.*|ip.*vlan.*|(vps|private|current|own|assigned|internal)ip(v[46])?(address)?|ip|ipaddress|address)$/;

const vlanKind: ListKind<VlanReading> = {
  fields: /^(vlans?|vlanlist|networks|privatenetworks|accountvlans)$/,
  fits: ({ key, record }) => idOf(record, key) !== undefined && rangeOf(record) !== undefined,
  recordOf: () => undefined,
  read({ key, record }) {
    const id = idOf(record, key);
    if (id === undefined) return undefined;
    const name = textOf(record, ['name', 'vlanname', 'label', 'title', 'description']);
    const ipRange = rangeOf(record);
    return { id, ...(name !== undefined && { name }), ...(ipRange !== undefined && { ipRange }), record };
  },
};

function idOf(record: ServiceRecord, key?: string): string | undefined {
  return textOf(record, idFields) ?? key;
}

function rangeOf(record: ServiceRecord): string | undefined {
  return valuesOf(record, rangeFields).find(isRange);
}

/** Reads the VLANs of the account, what came beside them, and which of them a VPS is in. */
export function readVlans(data: unknown, vpsName?: string): VlanListReading {
  const { readings, mayHaveMore, rest } = findList(data, vlanKind);
  const asked = vpsName ?? textOf(rest, ['vpsname', 'vps', 'name']);
  const about = { name: asked === undefined ? undefined : canonicalName(asked), rest };
  const ipOfVps = ownIpIn(rest, about.name);
  const vlans = readings.map((vlan) => {
    const attached = isAttached(vlan, { ...about, ip: ipOfVps });
    return attached === undefined ? vlan : { ...vlan, attached };
  });
  const ip =
    ipOfVps ?? vlans.map(({ attached, record }) => attached && ownIpIn(record, about.name)).find(Boolean);
  return { vlans, ...(typeof ip === 'string' && { ipOfVps: ip }), mayHaveMore, quotas: rest };
}

interface Asked {
  readonly name: string | undefined;
  readonly ip: string | undefined;
  readonly rest: ServiceRecord;
}

/** Tells whether the VPS is in a VLAN by the first thing that says so: a flag, its list of VPS, the id beside the list, the IP. */
function isAttached({ id, ipRange, record }: VlanReading, { name, ip, rest }: Asked): boolean | undefined {
  const flag = valuesOf(record, attachedFields).find((value) => typeof value === 'boolean');
  if (typeof flag === 'boolean') return flag;
  const members = Object.entries(record).find(
    ([field, value]) => memberFields.includes(bare(field)) && value,
  )?.[1];
  if (name !== undefined && typeof members === 'object') return namesIn(members).includes(name);
  const ownIds = Object.entries(rest).filter(([field]) => ownIdFields.includes(bare(field)));
  if (ownIds.length > 0) {
    return ownIds.some(([, own]) => (isRecord(own) ? idOf(own) : asText(own)) === id);
  }
  return ip === undefined || ipRange === undefined ? undefined : liesIn(ip, ipRange);
}

/** The names in a list of names or of records, or in a map by name. */
function namesIn(members: unknown): string[] {
  const values = Array.isArray(members) ? members : isRecord(members) ? Object.keys(members) : [];
  return values.flatMap((value: unknown) => {
    const name = isRecord(value) ? textOf(value, ['vpsname', 'name', 'id']) : asText(value);
    return name === undefined ? [] : [canonicalName(name)];
  });
}

/** Finds the VLAN IP in a record: a text, a record with the address in it, or a map by VPS. */
function ownIpIn(record: ServiceRecord, vpsName: string | undefined, depth = 2): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    const isOwn = ownIpField.test(bare(field)) || (vpsName !== undefined && canonicalName(field) === vpsName);
    if (isOwn && typeof value === 'string' && addressKind(value)) return value;
    const inner = isRecord(value) && depth > 0 ? ownIpIn(value, vpsName, depth - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
