import { vpsName } from '../fields.ts';

/** A record of the service, its fields as they came. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** Tells whether a value is a record, and not a list. */
export function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether there is nothing to be read in a value. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Reduces the name of a field to what all its spellings share: `created_at`, `createdAt` and `Created-At` are `createdat`. */
export function bare(field: string): string {
  return field
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the values that a record has under the given bare names, in the order of the names. Empty ones are left out. */
export function valuesOf(record: ServiceRecord, names: readonly string[]): unknown[] {
  const entries = Object.entries(record).map(([field, value]) => [bare(field), value] as const);
  return names.flatMap((name) =>
    entries.flatMap(([field, value]) => (field === name && !isEmpty(value) ? [value] : [])),
  );
}

/** Reads the first text under the given bare names; a number is a text too. */
export function textOf(record: ServiceRecord, names: readonly string[]): string | undefined {
  return valuesOf(record, names)
    .map(asText)
    .find((text) => text !== undefined);
}

/** Reads a name or an identifier: a text, or a number as a text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

const nameFields = ['vpsname', 'name', 'vps', 'id'];
const ownerFields = ['vpsname', 'vps', 'attachedto', 'assignedto', 'server', 'servername', 'vm', 'target'];
/** Bare names of a state. */
export const stateFields = ['state', 'status', 'powerstate', 'powerstatus', 'vmstatus', 'runstate'];

/** How deep a state may stand in a field of a state. */
const mostStateDepth = 3;

/** Reads the service's own word for a state. */
export function stateOf(record: ServiceRecord, depth = mostStateDepth): string | undefined {
  for (const value of valuesOf(record, stateFields)) {
    if (typeof value === 'string') return value;
    const inner = isRecord(value) && depth > 0 ? stateOf(value, depth - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Finds what a record is called: a VPS name wherever there is one, or else its first field for a name. */
export function vpsNameOrName(record: ServiceRecord, key?: string): string | undefined {
  const names = [...valuesOf(record, nameFields), key].flatMap(namesIn);
  const name = names.find(isVpsName) ?? names.find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? canonicalName(name) : undefined;
}

/** Finds the VPS that a record belongs to, in a field that says so. */
export function ownerOf(record: ServiceRecord): string | undefined {
  const name = valuesOf(record, ownerFields).flatMap(namesIn).find(isVpsName);
  return name === undefined ? undefined : canonicalName(name);
}

function namesIn(value: unknown): unknown[] {
  return isRecord(value) ? valuesOf(value, ['vpsname', 'name']) : [value];
}

/** Tells whether a value is the name of a VPS. */
export function isVpsName(value: unknown): value is string {
  // Most values are none, and the schema takes a thousand times as long to say so.
  return typeof value === 'string' && /^vps-/i.test(value) && vpsName.safeParse(value).success;
}

/** Writes the name of a VPS as Rackhand does, with its prefix in upper case; any other name as it came. */
export function canonicalName(name: string): string {
  return vpsName.safeParse(name).data ?? name;
}

/** Tells whether something stands in a place of VPS among which the one that was asked about is not. */
export function isOfAnother(path: readonly string[], vpsName: string | undefined): boolean {
  const names = path.filter(isVpsName).map(canonicalName);
  return vpsName !== undefined && names.length > 0 && !names.includes(vpsName);
}
