import type { ListItem } from '../../payload/list-candidates.ts';
import { findList, type ListSpec } from '../../payload/list-finder.ts';
import { openPlaces, type Places } from '../../readings/places.ts';
import { vlanReadings } from '../../readings/resource-readings.ts';
import { detectIpKind, isCidr, isInCidr } from '../../values/addresses.ts';
import {
  findText,
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';
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

const memberFields = ['vps', 'vpsnames', 'members', 'attachedvps', 'servers', 'attachedto', 'addresses'];
const currentVlanIdFields = [
  'vlanid',
  'currentvlanid',
  'attachedvlanid',
  'currentvlan',
  'attachedvlan',
  'vlan',
];
function createVlanListSpec(places: Places): ListSpec<ListItem> {
  return {
    namePattern: /^(vlans?|vlanlist|networks|privatenetworks|accountvlans)$/,
    isCertain: (item) => readId(item, places) !== undefined && readRange(item.record, places) !== undefined,
    toRecord: () => undefined,
    readItem: (item) =>
      (readId(item, places) ?? readNameAsId(item, places)) === undefined ? undefined : item,
  };
}

function readId({ key, record }: ListItem, places: Places): string | undefined {
  return places.findName(vlanReadings.id, record, key);
}

/** In a list of VLANs, a VLAN without an ID is identified by its name. */
function readNameAsId({ record }: ListItem, places: Places): string | undefined {
  const hasOtherId = Object.keys(record).some((field) => /id$/i.test(field));
  const isChosen = places.correctionOf(vlanReadings.id) !== undefined;
  return hasOtherId || isChosen ? undefined : findText(record, ['name', 'vlanname']);
}

function readRange(record: ServiceRecord, places: Places): string | undefined {
  return places.find(vlanReadings.range, record, (value) => (isCidr(value) ? value : undefined));
}

function toVlan(item: ListItem, places: Places): readonly Vlan[] {
  const { record } = item;
  const id = readId(item, places) ?? readNameAsId(item, places);
  if (id === undefined) return [];
  const name = places.findText(vlanReadings.name, record);
  const ipRange = readRange(record, places);
  return [{ id, ...(name !== undefined && { name }), ...(ipRange !== undefined && { ipRange }), record }];
}

/** Reads the VLANs of the account, and which of them a VPS is in. */
export function readVlans(data: unknown, vpsName?: string): VlanList {
  const places = openPlaces(data);
  const search = openPlaces(data, { isSearch: true });
  const { items: entries, hasMore, otherFields } = findList(data, createVlanListSpec(search));
  const items = entries.flatMap((item) => toVlan(item, places));
  const requestedName = vpsName ?? findText(otherFields, ['vpsname', 'vps', 'name']);
  const name = requestedName === undefined ? undefined : normalizeVpsName(requestedName);
  const ranges = items.flatMap(({ ipRange }) => ipRange ?? []);
  const chosenIps = places.findChosen(vlanReadings.ip);
  const listedIp = chosenIps
    ? chosenIps.map(toText).find(detectIpKind)
    : findVlanIp(otherFields, { vpsName: name, ranges });
  const context = { name, ip: listedIp, currentIds: readCurrentIds(otherFields, items) };
  const vlans = items.map((vlan) => {
    const isAttached = resolveAttachment(vlan, context, places);
    return isAttached === undefined ? vlan : { ...vlan, isAttached };
  });
  const attached = vlans.filter(({ isAttached }) => isAttached);
  const foundIp =
    listedIp ??
    attached
      .map(({ record, ipRange }) => findVlanIp(record, { vpsName: name, ranges: ipRange ? [ipRange] : [] }))
      .find((ip) => ip !== undefined) ??
    (saysNoVlanIp(otherFields) && attached.length === 0 ? null : undefined);
  const vpsIp = chosenIps ? listedIp : foundIp;
  return { vlans, ...(vpsIp !== undefined && { vpsIp }), hasMore, otherFields };
}

/**
 * Returns the IDs of the VPS's VLANs from fields beside the list. The list is empty if these
 * fields are empty. Returns undefined if there are no such fields, or if they name no VLAN of the
 * list.
 */
function readCurrentIds(otherFields: ServiceRecord, vlans: readonly Vlan[]): readonly string[] | undefined {
  const values = Object.entries(otherFields).flatMap(([field, value]) =>
    currentVlanIdFields.includes(normalizeFieldName(field)) ? [value] : [],
  );
  if (values.length === 0) return undefined;
  if (values.every(isEmpty)) return [];
  const named = values.map((value) =>
    isRecord(value) ? findText(value, vlanReadings.id.fields) : toText(value),
  );
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
  places: Places,
): boolean | undefined {
  const flag = places.findFlag(vlanReadings.attached, record);
  if (flag !== undefined || places.correctionOf(vlanReadings.attached)) return flag;
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
