import { vpsName, vpsNamePattern } from '../endpoints/fields.ts';
import {
  type FoundText,
  findFields,
  findValues,
  isRecord,
  normalizeFieldName,
  type ServiceRecord,
  words,
} from './record.ts';

const nameFields = words('vpsname name vps id slug');
const ownerFields = words(
  `vpsname vpsid vps attachedto assignedto server serverid servername vm vmid vmname virtualmachine
  virtualmachinename instance instanceid target`,
);
/** Normalized names of fields that can contain a label chosen by the customer. */
const labelFields = words('name servername vmname virtualmachinename');

export function isVpsName(value: unknown): value is string {
  return typeof value === 'string' && vpsNamePattern.test(value);
}

/** Converts the prefix of a VPS name to upper case. Returns other names unchanged. */
export function normalizeVpsName(name: string): string {
  return isVpsName(name) ? vpsName.parse(name) : name;
}

/** Finds a record's name: a VPS name if there is one, otherwise the first name field. */
export function findName(record: ServiceRecord, key?: string): string | undefined {
  const named = listNames(record);
  return (key ? sortNames([...named, { path: [], value: normalizeVpsName(key) }]) : named)[0]?.value;
}

/** Lists the names in a record with their paths, VPS names first. */
export function listNames(record: ServiceRecord): readonly FoundText[] {
  const found = findFields(record, nameFields).flatMap(({ field, value }) =>
    typeof value === 'string' ? [{ path: [field], value: normalizeVpsName(value) }] : [],
  );
  return sortNames(found);
}

/** Finds the VPS that a record belongs to, by its owner fields. */
export function findOwner(record: ServiceRecord): string | undefined {
  return listOwners(record)[0]?.value;
}

/** Lists the VPS that a record may belong to, with their paths. An owner can be a record with a name. */
export function listOwners(record: ServiceRecord): readonly FoundText[] {
  const found = findFields(record, ownerFields).flatMap(({ field, value }) => {
    if (!isRecord(value)) return [{ path: [field], value }];
    return findFields(value, ['vpsname', 'name', 'id']).map((one) => ({ ...one, path: [field, one.field] }));
  });
  return sortNames(
    found.flatMap(({ path, value }) => (isVpsName(value) ? [{ path, value: normalizeVpsName(value) }] : [])),
  );
}

/**
 * Sorts names, VPS names first. A customer can choose a label that looks like the name of another
 * VPS, so a VPS name in the documented field or in an ID wins over one in a label.
 */
function sortNames(names: readonly FoundText[]): readonly FoundText[] {
  if (names.length < 2) return names;
  const rankOf = ({ path, value }: FoundText) => {
    if (!isVpsName(value)) return 3;
    const field = normalizeFieldName(path.at(-1) ?? '');
    if (field === 'vpsname') return 0;
    return labelFields.includes(field) ? 2 : 1;
  };
  return names.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Returns whether a path names other VPS but not `vpsName`. */
export function isAboutAnotherVps(path: readonly string[], vpsName: string | undefined): boolean {
  const names = path.filter(isVpsName).map(normalizeVpsName);
  return vpsName !== undefined && names.length > 0 && !names.includes(vpsName);
}

/** Returns whether a record's VPS name field names another VPS, ignoring case. */
export function isOfAnotherVps(data: unknown, vpsName: string | undefined): boolean {
  return isRecord(data) && isNoneOf(findValues(data, ['vpsname']).filter(isVpsName), vpsName);
}

/** Returns whether a payload has VPS name fields and all of them name other VPS. */
export function isOnlyOfOtherVps(data: unknown, vpsName: string | undefined): boolean {
  return isNoneOf(listNamed(data), vpsName);
}

function isNoneOf(names: readonly string[], vpsName: string | undefined): boolean {
  if (vpsName === undefined || names.length === 0) return false;
  return !names.some((other) => other.toLowerCase() === vpsName.toLowerCase());
}

/** Maximum number of lists and objects around a record that names a VPS. */
const maxWrappers = 4;

function listNamed(data: unknown, depth = maxWrappers): readonly string[] {
  if (typeof data !== 'object' || data === null) return [];
  const own = isRecord(data) ? findValues(data, ['vpsname']).filter(isVpsName) : [];
  if (own.length > 0 || depth === 0) return own;
  return Object.values(data).flatMap((inner) => listNamed(inner, depth - 1));
}
