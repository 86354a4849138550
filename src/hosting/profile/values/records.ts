import { vpsName, vpsNamePattern } from '../../endpoints/fields.ts';
import { formatContradiction } from './state-contradiction.ts';

/** An object from the service, left unchanged. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not a list. */
export function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is null, undefined, or an empty string, list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The records of a list have the same field names, so the same names are normalized many times. */
const normalizedNames = new Map<string, string>();
const maxNormalizedNames = 2_000;
/** Longer names mean nothing to Rackhand, and normalizing them again and again could take long. */
const maxFieldChars = 200;

/**
 * Normalizes the spelling of a field name: `created_at`, `createdAt` and `Created-At` become
 * `createdat`.
 */
export function normalizeFieldName(field: string): string {
  if (field.length > maxFieldChars) return field;
  const known = normalizedNames.get(field);
  if (known !== undefined) return known;
  const name = field
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (normalizedNames.size < maxNormalizedNames) normalizedNames.set(field, name);
  return name;
}

interface RecordField {
  readonly field: string;
  readonly value: unknown;
}

/** Returns the non-empty fields with these normalized names, in the order of the names. */
export function findFields(record: ServiceRecord, names: readonly string[]): readonly RecordField[] {
  const found: (RecordField & { readonly rank: number })[] = [];
  // A loop, because most fields of a long list's records have other names.
  for (const field of Object.keys(record)) {
    const rank = names.indexOf(normalizeFieldName(field));
    const value = record[field];
    if (rank >= 0 && !isEmpty(value)) found.push({ field, value, rank });
  }
  return found.length > 1 ? found.sort((a, b) => a.rank - b.rank) : found;
}

/** Returns the non-empty values of the fields with these normalized names, in the order of the names. */
export function findValues(record: ServiceRecord, names: readonly string[]): unknown[] {
  return findFields(record, names).map(({ value }) => value);
}

/** Returns the first string or number among the fields with these normalized names, as a string. */
export function findText(record: ServiceRecord, names: readonly string[]): string | undefined {
  return findValues(record, names)
    .map(toText)
    .find((text) => text !== undefined);
}

/** Returns a non-empty string, or a finite number as a string. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

const nameFields = ['vpsname', 'name', 'vps', 'id'];
const ownerFields = [
  ...[
    'vpsname',
    'vpsid',
    'vps',
    'attachedto',
    'assignedto',
    'server',
    'serverid',
    'servername',
    'vm',
    'vmid',
  ],
  ...['vmname', 'virtualmachine', 'virtualmachinename', 'instance', 'instanceid', 'target'],
];
/** Normalized names of fields that can contain a label, which customers choose. */
const labelFields = ['name', 'servername', 'vmname', 'virtualmachinename'];
/** Normalized names of fields that contain a state. Those for the power state are last. */
const stateFields =
  'state status vmstate vmstatus vmstat vestatus vpsstatus runstate serverstate realstatus powerstate powerstatus'.split(
    ' ',
  );
/** Normalized names of objects that contain the state of a VPS. */
const stateGroups =
  'power runtime instance vps vm guest virtualmachine properties remotestate liveinfo serverliveinfo'.split(
    ' ',
  );
/**
 * Normalized names of the field that contains the word, in an object that is a state: `state: {
 * code: 16, name: 'off' }`.
 */
const stateWordFields = ['state', 'status', 'name', 'label', 'value', 'text'];

/** Matches words about an account or a reply rather than the power state. */
const generalStatePattern =
  /^(active|ok|enabled|ready|available|provisioned|deployed|success(ful)?|true|\d+)$/i;
/** Matches a word that is about the reply and not about the VPS. */
const answerPattern = /^success$/i;

/** Returns whether a field contains a state. `group` is the object that contains the field, if any. */
export function isStateField(field: string, group?: string): boolean {
  const name = normalizeFieldName(field);
  if (stateFields.includes(name)) return true;
  if (group === undefined) return name === 'power';
  const isInState = stateFields.includes(normalizeFieldName(group));
  return isInState && stateWordFields.includes(name);
}

/** Returns whether an object with this name can contain the state of a VPS. */
export function isStateGroup(field: string): boolean {
  const name = normalizeFieldName(field);
  return stateGroups.includes(name) || stateFields.includes(name);
}

/**
 * Returns the best of several states. A word for the power state is preferred to a general word,
 * such as `active` beside `power_status: stopped`. Words that are only about the reply are ignored.
 */
export function preferredState<T>(
  states: readonly T[],
  read: (state: T) => readonly [field: string | undefined, word: unknown],
): T | undefined {
  const rankOf = (state: T) => {
    const [field = '', word] = read(state);
    const index = stateFields.indexOf(normalizeFieldName(field));
    const isGeneral = generalStatePattern.test(String(word));
    return (isGeneral ? 100 : 0) + (index === -1 ? stateFields.length : index);
  };
  return states
    .filter((state) => !answerPattern.test(String(read(state)[1])))
    .toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

/** A name or word, and where it is in its record. */
export interface FoundText {
  readonly path: readonly string[];
  readonly value: string;
}

/** Finds the state of a record in the service's own words. */
export function findState(record: ServiceRecord): string | undefined {
  return listStates(record, false)[0]?.value;
}

/** Finds the state of a VPS, which can be in an object such as `power` or `runtime`. */
export function findVpsState(record: ServiceRecord): string | undefined {
  return listStates(record, true)[0]?.value;
}

/**
 * Lists the states in a record, the best one first. A VPS can have them in objects such as `power`. If
 * they contradict each other, both together are the best one.
 */
export function listStates(record: ServiceRecord, isVps: boolean): readonly FoundText[] {
  const states = collectStates(record, [], isVps);
  if (!isVps && states.length === 1) return states;
  const best = preferredState(states, ({ path, value }) => [path.at(-1), value]);
  if (best === undefined) return [];
  const sorted = [best, ...states.filter((state) => state !== best)];
  const both = isVps ? formatContradiction(sorted) : undefined;
  return both === undefined ? sorted : [{ path: best.path, value: both }, ...sorted];
}

/** Maximum depth of state fields inside state fields. */
const maxStateDepth = 3;

function collectStates(record: ServiceRecord, path: readonly string[], isVps: boolean): readonly FoundText[] {
  return Object.entries(record).flatMap(([field, value]): readonly FoundText[] => {
    const inner = [...path, field];
    if (isRecord(value)) {
      const isGroup = isVps ? isStateGroup(field) : stateFields.includes(normalizeFieldName(field));
      return path.length < maxStateDepth && isGroup ? collectStates(value, inner, isVps) : [];
    }
    const word = typeof value === 'string' ? removeMarkup(value) : '';
    return word !== '' && isStateField(field, path.at(-1)) ? [{ path: inner, value: word }] : [];
  });
}

/** Longer text isn't a state, and matching it could take long. */
const maxMarkupChars = 500;

/** Returns the word inside the HTML that some panels send: `<span class="label">Running</span>`. */
export function removeMarkup(text: string): string {
  const isMarkup = text.length <= maxMarkupChars && /^\s*<[a-z][^<>]*>.*<\/[a-z]+>/is.test(text);
  return isMarkup ? text.replace(/<[^<>]*>/g, '').trim() : text;
}

/** Finds the name of a record: a VPS name if there is one, otherwise the first name field. */
export function findName(record: ServiceRecord, key?: string): string | undefined {
  const named = listNames(record);
  return (key ? sortNames([...named, { path: [], value: normalizeVpsName(key) }]) : named)[0]?.value;
}

/** Lists the names of a record with their places, VPS names first. */
export function listNames(record: ServiceRecord): readonly FoundText[] {
  const found = listNamesIn(record, nameFields).flatMap(({ path, value }) =>
    typeof value === 'string' && value !== '' ? [{ path, value: normalizeVpsName(value) }] : [],
  );
  return sortNames(found);
}

/** Finds the VPS that a record belongs to, by its owner fields. */
export function findOwnerVpsName(record: ServiceRecord): string | undefined {
  return listOwners(record)[0]?.value;
}

/** Lists the VPS that a record can belong to, with their places. */
export function listOwners(record: ServiceRecord): readonly FoundText[] {
  const found = listNamesIn(record, ownerFields).flatMap(({ path, value }) =>
    isVpsName(value) ? [{ path, value: normalizeVpsName(value) }] : [],
  );
  return sortNames(found);
}

/** Lists the values of fields, and of the name fields of the records in them. */
function listNamesIn(record: ServiceRecord, names: readonly string[]) {
  return findFields(record, names).flatMap(({ field, value }) =>
    isRecord(value)
      ? findFields(value, ['vpsname', 'name', 'id'])
          .filter((inner) => normalizeFieldName(inner.field) !== 'id' || isVpsName(inner.value))
          .map((inner) => ({ path: [field, inner.field], value: inner.value }))
      : [{ path: [field], value }],
  );
}

/** Matches the form of VPS names in the API document, `VPS-XXXXX`. Other lengths are accepted too. */
const documentedNamePattern = /^VPS-[A-Z0-9]{5}$/;

/**
 * Sorts names, VPS names first. A customer can choose a label that looks like the name of another
 * VPS, so a VPS name in the documented field or in an ID wins over one in a label.
 */
function sortNames(names: readonly FoundText[]): readonly FoundText[] {
  const rankOf = ({ path, value }: FoundText) => {
    if (!isVpsName(value)) return 5;
    const field = normalizeFieldName(path.at(-1) ?? '');
    if (field === 'vpsname') return 0;
    return (documentedNamePattern.test(value) ? 1 : 3) + (labelFields.includes(field) ? 1 : 0);
  };
  return names.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Returns whether a value is a VPS name. */
export function isVpsName(value: unknown): value is string {
  return typeof value === 'string' && vpsNamePattern.test(value);
}

/** Converts the prefix of a VPS name to upper case. Any other name stays unchanged. */
export function normalizeVpsName(name: string): string {
  return isVpsName(name) ? vpsName.parse(name) : name;
}

/** Returns whether a path names other VPS and not `vpsName`. */
export function isAboutAnotherVps(path: readonly string[], vpsName: string | undefined): boolean {
  const names = path.filter(isVpsName).map(normalizeVpsName);
  return vpsName !== undefined && names.length > 0 && !names.includes(vpsName);
}

/** Returns whether the field for the VPS name has that of another VPS. Case can differ. */
export function isOfAnotherVps(data: unknown, vpsName: string | undefined): boolean {
  const names = isRecord(data) ? findValues(data, ['vpsname']).filter(isVpsName) : [];
  if (vpsName === undefined || names.length === 0) return false;
  return !names.some((other) => other.toLowerCase() === vpsName.toLowerCase());
}
