import { findList, type ListSpec } from '../payload/list-finder.ts';
import { isCidr, isInCidr } from '../values/addresses.ts';
import { findFlag } from '../values/flags.ts';
import {
  findText,
  findValues,
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
  toText,
} from '../values/records.ts';
import { findVlanIp, saysNoVlanIp } from './vlan-ip.ts';

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

const idFields = ['id', 'vlanid', 'uuid', 'identifier', 'tag', 'vid'];
const rangeFields = ['iprange', 'range', 'cidr', 'subnet', 'network', 'prefix', 'ipv4range', 'ipv6range'];
const attachedFields = [
  'attached',
  'isattached',
  'associated',
  'isassociated',
  'connected',
  'assigned',
  'verbunden',
];
const memberFields = ['vps', 'vpsnames', 'members', 'attachedvps', 'servers', 'attachedto', 'addresses'];
const currentVlanIdFields = [
  'vlanid',
  'currentvlanid',
  'attachedvlanid',
  'currentvlan',
  'attachedvlan',
  'vlan',
];
const vlanListSpec: ListSpec<Vlan> = {
  namePattern: /^(vlans?|vlanlist|networks|privatenetworks|accountvlans)$/,
  isCertain: ({ key, record }) => findId(record, key) !== undefined && findRange(record) !== undefined,
  toRecord: () => undefined,
  readItem({ key, record }) {
    const id = findId(record, key);
    if (id === undefined) return undefined;
    const name = findText(record, ['name', 'vlanname', 'label', 'title', 'description']);
    const ipRange = findRange(record);
    return { id, ...(name !== undefined && { name }), ...(ipRange !== undefined && { ipRange }), record };
  },
};

function findId(record: ServiceRecord, key?: string): string | undefined {
  return findText(record, idFields) ?? key;
}

function findRange(record: ServiceRecord): string | undefined {
  return findValues(record, rangeFields).find(isCidr);
}

/** Reads the VLANs of the account, and which of them a VPS is in. */
export function readVlans(data: unknown, vpsName?: string): VlanList {
  const { items, hasMore, otherFields } = findList(data, vlanListSpec);
  const requestedName = vpsName ?? findText(otherFields, ['vpsname', 'vps', 'name']);
  const name = requestedName === undefined ? undefined : normalizeVpsName(requestedName);
  const ranges = items.flatMap(({ ipRange }) => ipRange ?? []);
  const listedIp = findVlanIp(otherFields, { vpsName: name, ranges });
  const context = { name, ip: listedIp, currentIds: readCurrentIds(otherFields, items) };
  const vlans = items.map((vlan) => {
    const isAttached = resolveAttachment(vlan, context);
    return isAttached === undefined ? vlan : { ...vlan, isAttached };
  });
  const attached = vlans.filter(({ isAttached }) => isAttached);
  const vpsIp =
    listedIp ??
    attached
      .map(({ record, ipRange }) => findVlanIp(record, { vpsName: name, ranges: ipRange ? [ipRange] : [] }))
      .find((ip) => ip !== undefined) ??
    (saysNoVlanIp(otherFields) && attached.length === 0 ? null : undefined);
  return { vlans, ...(vpsIp !== undefined && { vpsIp }), hasMore, otherFields };
}

/**
 * Returns the IDs of the VLANs that are named, beside the list, as those of the VPS. Returns
 * undefined if none is named and nothing says that there is none.
 */
function readCurrentIds(otherFields: ServiceRecord, vlans: readonly Vlan[]): readonly string[] | undefined {
  const values = Object.entries(otherFields).flatMap(([field, value]) =>
    currentVlanIdFields.includes(normalizeFieldName(field)) ? [value] : [],
  );
  if (values.length === 0) return undefined;
  if (values.every(isEmpty)) return [];
  const named = values.map((value) => (isRecord(value) ? findId(value) : toText(value)));
  const found = vlans.filter(
    ({ id, name }) => named.includes(id) || (name !== undefined && named.includes(name)),
  );
  return found.length === 0 ? undefined : found.map(({ id }) => id);
}

interface AttachmentContext {
  readonly name: string | undefined;
  readonly ip: string | undefined;
  readonly currentIds: readonly string[] | undefined;
}

/**
 * Returns whether the VPS is in a VLAN. Decides by the VLAN's flag, its members, the current VLAN
 * beside the list, or the IP.
 */
function resolveAttachment(
  { id, ipRange, record }: Vlan,
  { name, ip, currentIds }: AttachmentContext,
): boolean | undefined {
  const flag = findFlag(record, attachedFields);
  if (flag !== undefined) return flag;
  const isMember = name === undefined ? undefined : readMembership(record, name);
  if (isMember !== undefined) return isMember;
  if (currentIds !== undefined) return currentIds.includes(id);
  return ip === undefined || ipRange === undefined ? undefined : isInCidr(ip, ipRange);
}

/** Returns whether the VPS is among a VLAN's members. Returns undefined if the members aren't VPS names. */
function readMembership(record: ServiceRecord, vpsName: string): boolean | undefined {
  const lists = Object.entries(record).flatMap(([field, value]) =>
    memberFields.includes(normalizeFieldName(field)) && typeof value === 'object' && value !== null
      ? [value]
      : [],
  );
  if (lists.length === 0) return undefined;
  const names = lists.flatMap(listMemberNames);
  if (names.includes(vpsName)) return true;
  return names.every(isVpsName) ? false : undefined;
}

/** Returns the names in a list of names or records, or in a map by name. */
function listMemberNames(members: unknown): string[] {
  const values = Array.isArray(members) ? members : isRecord(members) ? Object.keys(members) : [];
  return values.map((value: unknown) => {
    const name = isRecord(value) ? findText(value, ['vpsname', 'name', 'id']) : toText(value);
    return normalizeVpsName(name ?? '');
  });
}
