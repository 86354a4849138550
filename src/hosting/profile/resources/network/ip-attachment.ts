import type { PayloadLocation } from '../../payload/extraction.ts';
import { findFlag, parseFlag } from '../../values/flags.ts';
import {
  findOwnerVpsName,
  findState,
  findValues,
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
} from '../../values/records.ts';
import { parseTimeMs } from '../../values/times.ts';

/** Whether an IP address is attached, and to which VPS. */
export interface IpAttachment {
  readonly vpsName?: string;
  /** Undefined if the payload doesn't say. */
  readonly isAttached?: boolean;
}

const ownerFieldPattern =
  /^((vps|vserver|server|instance|vm|(virtual)?machine|droplet|linode|container|assignee)(name|id|uuid)?|portid|(attached|assigned|bound|linked|allocated)(to|vps|server)?(name|id)?|usedby|fixedip(address)?|association|attachment|zugewiesen|vergebenan)$/;
const attachedFields = ['attached', 'assigned', 'inuse', 'used', 'bound', 'occupied', 'associated'].flatMap(
  (field) => [field, `is${field}`],
);
const freeFields = ['free', 'available', 'unassigned', 'unused', 'unattached', 'frei'].flatMap((field) => [
  field,
  `is${field}`,
]);
const attachedWordPattern =
  /^(in ?use|used|assigned|attached|bound|occupied|associated|taken|belegt|zugewiesen|vergeben)$/;
const freeWordPattern =
  /^(free|available|unassigned|un ?attached|detached|unused|unbound|spare|not (in use|assigned|attached|used)|frei)$/;
/** Matches states beside which an address without an owner can be attached. */
const usableWordPattern =
  /^(|active|ok|ready|enabled|up|down|online|offline|allocated|inactive|success(ful)?)$/;

/** Flags of addresses that can't be attached, although they have no owner. */
const withheldFields = 'reserved locked blocked quarantined gateway primary main'
  .split(' ')
  .flatMap((field) => [field, `is${field}`]);

/** Matches values that mean that there is no owner: `0`, `-`, an empty UUID. */
const noOwnerPattern = /^(|[0-]+|none|null|nil|free|unassigned|n\/?a|false|no)$/i;

/** Returns the field of an IP address that names its owner. */
export function findOwnerField(record: ServiceRecord): string | undefined {
  return listOwnerFields(record)[0]?.[0];
}

/** Leaves out times, such as when the address was `allocated` to the account. */
function listOwnerFields(record: ServiceRecord): readonly [field: string, value: unknown][] {
  return Object.entries(record).filter(
    ([field, value]) => ownerFieldPattern.test(normalizeFieldName(field)) && !isDateText(value),
  );
}

function isDateText(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && parseTimeMs(value) !== undefined;
}

/**
 * Returns whether a record contains nothing about an owner, and no reason why the address could be
 * withheld.
 */
export function isSilent(record: ServiceRecord): boolean {
  const saysNothing = readFlags(record) === undefined && findState(record) === undefined;
  return saysNothing && findOwnerField(record) === undefined && !isContradicted(record, false);
}

/** Reads whether an IP address is attached, from its record or from where the record is. */
export function readAttachment(record: ServiceRecord, location: PayloadLocation): IpAttachment {
  const owners = listOwnerFields(record).map(([, value]) => value);
  const named = findOwnerVpsName(record) ?? owners.flatMap(listTexts).find(isVpsName);
  if (named !== undefined) return { vpsName: normalizeVpsName(named), isAttached: true };
  const hasOwner = owners.some((owner) => !isNoOwner(owner));
  const hasNoOwner = owners.length > 0 && !hasOwner;
  const vpsName = hasNoOwner ? undefined : location.vpsName;
  if (hasOwner || vpsName !== undefined) return { ...(vpsName && { vpsName }), isAttached: true };
  const isAttached = readFlags(record) ?? (hasNoOwner ? false : readPlace(location));
  return isAttached === undefined || isContradicted(record, isAttached) ? {} : { isAttached };
}

/** Reads whether an IP address is attached, from the text or record to which the address is mapped. */
export function readMappedAttachment(value: unknown): IpAttachment {
  if (isVpsName(value)) return { vpsName: normalizeVpsName(value), isAttached: true };
  const flag = parseFlag(value);
  if (flag === undefined && isNoOwner(value)) return { isAttached: false };
  const word = toWords(value);
  if (attachedWordPattern.test(word)) return { isAttached: true };
  return freeWordPattern.test(word) ? { isAttached: false } : {};
}

function readFlags(record: ServiceRecord): boolean | undefined {
  const free = findFlag(record, freeFields);
  return findFlag(record, attachedFields) ?? readWord(record) ?? (free === undefined ? undefined : !free);
}

function readWord(record: ServiceRecord): boolean | undefined {
  const state = toWords(findState(record));
  if (attachedWordPattern.test(state)) return true;
  return freeWordPattern.test(state) ? false : undefined;
}

/**
 * Returns whether an address is attached according to the innermost group that contains it, such as
 * `unassigned`.
 */
function readPlace({ path }: PayloadLocation): boolean | undefined {
  const words = path.map(toWords);
  const group = words.findLast((word) => attachedWordPattern.test(word) || freeWordPattern.test(word));
  return group === undefined ? undefined : attachedWordPattern.test(group);
}

/**
 * Returns whether the record of a supposedly free address contradicts that: by its state, a flag,
 * or a hostname.
 */
function isContradicted(record: ServiceRecord, isAttached: boolean): boolean {
  if (isAttached) return false;
  const hasHostname = Object.entries(record).some(
    ([field, value]) => /^(vps)?hostname$/.test(normalizeFieldName(field)) && !isNoOwner(value),
  );
  const state = toWords(findState(record));
  const isWithheld = findValues(record, withheldFields).some((value) => parseFlag(value) === true);
  return hasHostname || isWithheld || !(freeWordPattern.test(state) || usableWordPattern.test(state));
}

function isNoOwner(value: unknown): boolean {
  if (isEmpty(value) || value === false) return true;
  if (isRecord(value)) return Object.values(value).every(isNoOwner);
  return (
    (typeof value === 'string' || typeof value === 'number') && noOwnerPattern.test(String(value).trim())
  );
}

function listTexts(value: unknown): unknown[] {
  if (isRecord(value)) return Object.values(value);
  return Array.isArray(value) ? value : [value];
}

function toWords(value: unknown): string {
  return typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, ' ')
    : '';
}
