import { detectIpKind } from './addresses.ts';
import { type Entry, findEntries } from './entries.ts';
import { accountAddressValues, type KnownValue, vpsAddressValues } from './known-values.ts';
import { type Candidate, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { parseInteger } from './quantity.ts';
import {
  findFields,
  findText,
  findValues,
  isEmpty,
  isRecord,
  normalizeFieldName,
  parseFlag,
  type ServiceRecord,
  words,
} from './record.ts';
import { findState } from './states.ts';
import { findOwner, isVpsName, normalizeVpsName } from './vps-name.ts';

type IpKind = 'ipv4' | 'ipv6';

/** Whether an IP address is attached, and to which VPS. */
export interface IpAttachment {
  readonly vpsName?: string;
  /** Undefined if the payload doesn't say. */
  readonly isAttached?: boolean;
}

/** An IP address or range that can be attached to a VPS. */
export interface IpResource extends IpAttachment {
  readonly kind: IpKind;
  /** The ID used to attach and detach. Undefined if the payload lists only addresses. */
  readonly id?: string;
  /** The address as the service writes it. */
  readonly address?: string;
  readonly record: ServiceRecord;
}

export interface IpResourceList {
  readonly resources: readonly IpResource[];
  readonly hasMore: boolean;
  /** The payload without the addresses. */
  readonly otherFields: ServiceRecord;
}

/** Matches fields whose addresses can't be attached. */
const excludedField =
  /gateway|netmask|dns|nameserver|resolver|broadcast|^ptr|^(quotas?|usage|limits?|counts?)$/;
const ipField =
  /^(.*ips?|ipv[46]s?|ip[46]|v[46]|(ip(v[46])?)?address(es)?|.*ip(v[46])?address(es)?|ip(v[46])?(list|resources?))$/;

/**
 * Reads the IP addresses of the account or of one VPS. `defaultKind` is the kind of the account's
 * addresses if the payload doesn't contain it. Leave it out for the addresses of a VPS.
 */
export function readIpResources(data: unknown, defaultKind?: IpKind): IpResourceList {
  const matcher = openMatcher(data);
  const { accountAddress, accountId } = accountAddressValues;
  const values = defaultKind === undefined ? vpsAddressValues : { address: accountAddress, id: accountId };
  const { entries, otherFields } = findEntries(data, {
    listNames: ipField,
    mapping: matcher.mappingOf(values.address),
    isUnmistakable: true,
    isCertain: (entry) => !isExcluded(entry) && readAddress(entry, matcher, values) !== undefined,
    isPossible: (entry) => !isExcluded(entry) && isIdAlone(entry, matcher, values),
    toRecord: toScalarRecord,
  });
  const resources = mergePlain(entries.flatMap((entry) => toResources(entry, matcher, values, defaultKind)));
  return { resources, hasMore: hasMorePages(data, resources.length), otherFields };
}

interface AddressValues {
  readonly address: KnownValue;
  readonly id: KnownValue;
}

/** Converts an address in a list or a field, or one that a map maps to its VPS or ID, to a record. */
function toScalarRecord(
  value: unknown,
  { key, isInList, address }: Omit<Entry, 'record'>,
): ServiceRecord | undefined {
  if (key !== undefined && detectIpKind(key) && !isRecord(value) && !Array.isArray(value))
    return { address: key, vps: value };
  if (typeof value !== 'string') return undefined;
  const isListed = address.at(-1) === '[]' || (isInList && isIdentifier(key));
  const isNamed = isListed || ipField.test(normalizeFieldName(key ?? ''));
  const parts = splitAddresses(value);
  return isNamed && parts.length > 0 && parts.every(detectIpKind) ? { address: value } : undefined;
}

function splitAddresses(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}

function isExcluded({ groups, key = '' }: Entry): boolean {
  return [...groups, key].some((field) => excludedField.test(normalizeFieldName(field)));
}

/** Reads the address of a record. A record with several addresses describes something else, such as a VPS. */
function readAddress(entry: Entry, matcher: Matcher, { address, id }: AddressValues): string | undefined {
  const candidates = listAddresses(address, entry.record);
  const kinds = new Set(candidates.map(({ value }) => detectIpKind(value)));
  if (kinds.size > 1 || hasAddressList(entry.record)) return undefined;
  const found = matcher.text(address, entry, candidates);
  if (found !== undefined || matcher.mappingOf(address)) return found;
  return [entry.key, matcher.text(id, entry), findText(entry.record, ['name'])].find(detectIpKind);
}

function listAddresses(known: KnownValue, record: ServiceRecord): readonly Candidate[] {
  return findFields(record, known.fields).flatMap(({ field, value }): readonly Candidate[] => {
    if (isRecord(value))
      return listAddresses(known, value).map((one) => ({ ...one, path: [field, ...one.path] }));
    if (typeof value !== 'string' || !splitAddresses(value).every(detectIpKind)) return [];
    const isRange =
      /^(subnet|range|network|prefix|cidr)$/.test(normalizeFieldName(field)) && !value.includes('/');
    if (!isRange) return [{ path: [field], value }];
    // A range without its length isn't one. The length can be in a field beside it.
    const length = parseInteger(
      findText(record, words('cidr subnetsize networksize prefixlength netmaskcidr')),
    );
    const isWhole = length === (detectIpKind(value) === 'ipv4' ? 32 : 128);
    return length === undefined ? [] : [{ path: [field], value: isWhole ? value : `${value}/${length}` }];
  });
}

function hasAddressList(record: ServiceRecord): boolean {
  return Object.entries(record).some(([field, value]) => {
    const name = normalizeFieldName(field);
    if (!Array.isArray(value) || !ipField.test(name) || excludedField.test(name)) return false;
    return value.some((item) => detectIpKind(item) || isRecord(item));
  });
}

/** Returns whether a record among addresses has an ID but no address. */
function isIdAlone(entry: Entry, matcher: Matcher, { id }: AddressValues): boolean {
  const hasOther = Object.values(entry.record).some((value) =>
    Array.isArray(value) ? value.some(isRecord) : detectIpKind(value) !== undefined,
  );
  return matcher.text(id, entry) !== undefined && !hasOther;
}

/** Returns whether a map key is the ID of an address, and not its role. */
function isIdentifier(key: string | undefined): key is string {
  return key !== undefined && /\d/.test(key) && !isVpsName(key) && !ipField.test(normalizeFieldName(key));
}

function toResources(
  entry: Entry,
  matcher: Matcher,
  values: AddressValues,
  defaultKind: IpKind | undefined,
): readonly IpResource[] {
  const { record, key } = entry;
  const text = readAddress(entry, matcher, values);
  const isKeyId = isIdentifier(key) && detectIpKind(key) === undefined;
  const id = matcher.text(values.id, entry) ?? (isKeyId ? key : undefined);
  const owner = listOwnerFields(record)[0]?.field;
  if (owner !== undefined && defaultKind !== undefined)
    matcher.note(accountAddressValues.free, [...entry.address, owner]);
  const addresses = text === undefined ? [undefined] : splitAddresses(text);
  return addresses.map((address) => ({
    kind:
      detectIpKind(address) ?? findKind(entry) ?? defaultKind ?? (/^\d+$/.test(id ?? '') ? 'ipv4' : 'ipv6'),
    ...(id !== undefined && { id }),
    ...(address !== undefined && { address }),
    ...readAttachment(entry),
    record: addresses.length > 1 && address !== undefined ? { address } : record,
  }));
}

/** Drops plain addresses that another entry has with its details. */
function mergePlain(resources: readonly IpResource[]): readonly IpResource[] {
  const isPlain = ({ address, record }: IpResource) =>
    Object.values(record).every((value) => value === address);
  const detailed = new Set(resources.filter((one) => !isPlain(one)).map(({ address }) => address));
  const seen = new Set<string | undefined>();
  return resources.filter((one) => {
    if (!isPlain(one)) return true;
    const isRepeated = detailed.has(one.address) || seen.has(one.address);
    seen.add(one.address);
    return !isRepeated;
  });
}

/** Returns the kind that a record, or the innermost field around it, names: `IPv6`, `inet6`, `v6` or `6`. */
function findKind({ record, groups, key = '' }: Entry): IpKind | undefined {
  const own = findValues(record, words('version ipversion family addressfamily kind type protocol'));
  const outer = [...groups, key].filter((field) => ipField.test(normalizeFieldName(field))).toReversed();
  for (const text of [...own.map(String), ...outer]) {
    const [, version] = /(?:^|ip|v|inet|\s)([46])(?!\d)/i.exec(text) ?? [];
    if (version !== undefined) return version === '4' ? 'ipv4' : 'ipv6';
  }
  return undefined;
}

const ownerField =
  /^((vps|vserver|server|instance|vm|(virtual)?machine|droplet|linode|container|assignee)(name|id|uuid)?|resourcename|portid|(attached|assigned|bound|linked)(to|vps|server)?(name|id)?|allocatedto|usedby|fixedip(address)?|association|routedto)$/;
const attachedFields = words(
  'attached isattached assigned isassigned inuse isinuse bound isbound associated isassociated',
);
const freeFields = words('free isfree available isavailable unassigned unused unattached');
/** Flags of addresses that can't be attached, although they have no owner. */
const withheldFields = words(
  'reserved isreserved locked islocked blocked isblocked quarantined gateway primary isprimary main ismain',
);
const attachedWord = /^(in ?use|used|assigned|attached|bound|occupied|associated|taken)$/;
const freeWord =
  /^(free|available|unassigned|un ?attached|detached|unused|unbound|spare|not (in use|assigned|attached|used))$/;
/** Matches states beside which an address without an owner can be attached. */
const usableWord = /^(|active|ok|ready|enabled|up|down|online|offline|allocated|inactive)$/;
/** Matches values that mean that there is no owner: `0`, `-`, an empty UUID. */
const noOwner = /^(|[0-]+|none|null|nil|free|unassigned|n\/?a|false|no)$/i;

function listOwnerFields(
  record: ServiceRecord,
): readonly { readonly field: string; readonly value: unknown }[] {
  return Object.entries(record)
    .map(([field, value]) => ({ field, value }))
    .filter(({ field, value }) => ownerField.test(normalizeFieldName(field)) && typeof value !== 'boolean');
}

/** Reads whether an IP address is attached, from its record or from where the record is. */
function readAttachment({ record, groups, owner }: Entry): IpAttachment {
  const owners = listOwnerFields(record).map(({ value }) => value);
  const inner = owners.flatMap((value) => (isRecord(value) ? Object.values(value) : [value])).flat();
  const named = findOwner(record) ?? inner.find(isVpsName);
  if (named !== undefined) return { vpsName: normalizeVpsName(named), isAttached: true };
  if (owners.some((value) => !isNoOwner(value))) return { isAttached: true };
  if (owners.length === 0 && owner !== undefined) return { vpsName: owner, isAttached: true };
  const group = groups.map(readWord).findLast((isAttached) => isAttached !== undefined);
  const isAttached = readFlags(record) ?? (owners.length > 0 ? false : group);
  return isAttached === undefined || (!isAttached && isWithheld(record)) ? {} : { isAttached };
}

function readFlags(record: ServiceRecord): boolean | undefined {
  const find = (fields: readonly string[]) =>
    findValues(record, fields)
      .map(parseFlag)
      .find((flag) => flag !== undefined);
  const free = find(freeFields);
  return (
    find(attachedFields) ?? readWord(findState(record) ?? '') ?? (free === undefined ? undefined : !free)
  );
}

function readWord(text: string): boolean | undefined {
  const word = toWords(text);
  return attachedWord.test(word) ? true : freeWord.test(word) ? false : undefined;
}

/** Returns whether a supposedly free address can't be attached: by its state, a flag, or a hostname. */
function isWithheld(record: ServiceRecord): boolean {
  const state = toWords(findState(record) ?? '');
  const hasHostname = findValues(record, ['hostname', 'vpshostname']).some((value) => !isNoOwner(value));
  const isFlagged = findValues(record, withheldFields).some((value) => parseFlag(value) === true);
  return hasHostname || isFlagged || !(freeWord.test(state) || usableWord.test(state));
}

function isNoOwner(value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (isRecord(value)) return Object.values(value).every(isNoOwner);
  return (typeof value === 'string' || typeof value === 'number') && noOwner.test(String(value).trim());
}

function toWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}
