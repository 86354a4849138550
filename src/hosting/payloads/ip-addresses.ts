import { type Entry, findEntries } from './entries.ts';
import { accountAddressValues, vpsAddressValues } from './known-values.ts';
import { listCandidates, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import {
  detectIpKind,
  findState,
  findValues,
  isEmpty,
  isRecord,
  normalizeFieldName,
  parseFlag,
  type ServiceRecord,
  words,
} from './record.ts';
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
  /** The ID for attaching and detaching. Undefined if the payload lists only addresses. */
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

/** Matches names of fields whose addresses can't be attached. */
const excludedField =
  /gateway|netmask|dns|nameserver|resolver|broadcast|^ptr|^(quotas?|usage|limits?|counts?)$/;
const ipField =
  /^(.*ips?|ipv[46]s?|ip[46]|v[46]|(ip(v[46])?)?address(es)?|.*ip(v[46])?address(es)?|ip(v[46])?(list|resources?))$/;

/**
 * Reads the IP addresses of the account or a VPS. For the account, `defaultKind` is the kind of an address
 * whose kind the payload doesn't show. Omit `defaultKind` for a VPS.
 */
export function readIpResources(data: unknown, defaultKind?: IpKind): IpResourceList {
  const matcher = openMatcher(data);
  const isOfAccount = defaultKind !== undefined;
  const known = isOfAccount
    ? { address: accountAddressValues.accountAddress, id: accountAddressValues.accountId }
    : vpsAddressValues;
  const readId = (entry: Entry, own: Matcher) =>
    own.text(known.id, entry) ?? (isId(entry.key) ? entry.key : undefined);
  const readAddress = (entry: Entry, own: Matcher) => {
    const candidates = listCandidates(known.address, entry.record);
    // A record with addresses of both kinds describes something else, such as a VPS.
    if (new Set(candidates.map(({ value }) => detectIpKind(value))).size > 1) return undefined;
    const found = own.text(known.address, entry, candidates);
    return found ?? (own.mappingOf(known.address) ? undefined : [readId(entry, own)].find(detectIpKind));
  };
  const { entries, otherFields } = findEntries(data, {
    listNames: ipField,
    matcher,
    name: known.address,
    isUnmistakable: true,
    isCertain: (entry, trial) => !isExcluded(entry) && readAddress(entry, trial) !== undefined,
    toRecord: toAddressRecord,
  });
  const listed = entries.map((entry): IpResource => {
    const [id, address] = [readId(entry, matcher), readAddress(entry, matcher)];
    const attachment = readAttachment(entry);
    const [owner] = listOwnerFields(entry.record);
    if (isOfAccount && attachment.isAttached !== undefined)
      matcher.note(
        accountAddressValues.free,
        owner && [...entry.address, owner.field],
        !attachment.isAttached,
      );
    return {
      kind: detectIpKind(address) ?? defaultKind ?? 'ipv4',
      ...(id !== undefined && { id }),
      ...(address !== undefined && { address }),
      ...attachment,
      record: entry.record,
    };
  });
  const resources = [...new Map(listed.map((one) => [one.address ?? one, one])).values()];
  return { resources, hasMore: hasMorePages(data, resources.length), otherFields };
}

/** Converts an address in a list, or in a field with a matching name, to a record. */
function toAddressRecord(
  value: unknown,
  { key, isInList, address }: Omit<Entry, 'record'>,
): ServiceRecord | undefined {
  const isNamed =
    address.at(-1) === '[]' || (isInList && isId(key)) || ipField.test(normalizeFieldName(key ?? ''));
  return isNamed && detectIpKind(value) ? { address: value } : undefined;
}

function isExcluded({ groups, key = '' }: Entry): boolean {
  return [...groups, key].some((field) => excludedField.test(normalizeFieldName(field)));
}

/** Returns whether a map key is an address's ID rather than its role. */
function isId(key: string | undefined): boolean {
  return key !== undefined && /\d/.test(key) && !isVpsName(key) && !ipField.test(normalizeFieldName(key));
}

const ownerFields = words(
  `vps vpsname vpsid server serverid servername instance instanceid vm vmid droplet linode attachedto assignedto
  assignee allocatedto usedby`,
);
const attachedWord = /^(in ?use|used|assigned|attached|bound)$/;
const freeWord = /^(free|available|unassigned|unattached|detached|unused)$/;
/** Matches states of ownerless addresses that can be attached. */
const usableState = /^(|active|ok|ready|enabled|up)$/i;
/** Matches values that mean no owner: `0`, `-`, an empty UUID. */
const noOwner = /^(|[0-]+|none|null|free|unassigned|n\/?a|false|no)$/i;

function listOwnerFields(
  record: ServiceRecord,
): readonly { readonly field: string; readonly value: unknown }[] {
  return Object.entries(record)
    .map(([field, value]) => ({ field, value }))
    .filter(
      ({ field, value }) => ownerFields.includes(normalizeFieldName(field)) && typeof value !== 'boolean',
    );
}

/**
 * Reads whether an IP address is attached, from its record or the VPS around it. Returns neither field if they
 * don't say.
 */
function readAttachment({ record, key, groups }: Entry): IpAttachment {
  const owners = listOwnerFields(record).map(({ value }) => value);
  const named = findOwner(record) ?? owners.flatMap(listValues).find(isVpsName);
  if (named !== undefined) return { vpsName: normalizeVpsName(named), isAttached: true };
  if (owners.some((value) => !isNoOwner(value))) return { isAttached: true };
  const around = [...groups, key].findLast(isVpsName);
  if (owners.length === 0 && around !== undefined)
    return { vpsName: normalizeVpsName(around), isAttached: true };
  const isFree = owners.length > 0 && usableState.test(findState(record) ?? '');
  const isAttached = readFlags(record) ?? (isFree ? false : undefined);
  return isAttached === undefined ? {} : { isAttached };
}

function readFlags(record: ServiceRecord): boolean | undefined {
  const flags = findValues(record, words('attached isattached assigned isassigned inuse isinuse'));
  const state = (findState(record) ?? '').toLowerCase().replace(/[\s_-]+/g, ' ');
  const word = attachedWord.test(state) ? true : freeWord.test(state) ? false : undefined;
  return flags.map(parseFlag).find((flag) => flag !== undefined) ?? word;
}

function listValues(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

function isNoOwner(value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (isRecord(value)) return Object.values(value).every(isNoOwner);
  return (typeof value === 'string' || typeof value === 'number') && noOwner.test(String(value).trim());
}
