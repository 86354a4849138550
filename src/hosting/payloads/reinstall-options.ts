import { withoutSecrets } from '../secret-redaction.ts';
import { type Entry, findEntries } from './entries.ts';
import { systemValues } from './known-values.ts';
import { listCandidates, type Matcher, openMatcher } from './matcher.ts';
import {
  findText,
  findValues,
  isRecord,
  normalizeFieldName,
  omitUndefined,
  type ServiceRecord,
  toText,
  words,
} from './record.ts';

/** An operating system that can be installed on a VPS. */
export interface OperatingSystem {
  /** Sent as `os` in the call. */
  readonly os: string;
  /** The display name, if it differs. */
  readonly label?: string;
}

export interface ReinstallOptions {
  readonly operatingSystems: readonly OperatingSystem[];
  /** Accepted values of `delivery`. Empty if the payload doesn't say. */
  readonly deliveries: readonly string[];
  /** Fields besides `os` and `delivery` that the service requires in the body. */
  readonly requiredFields: readonly string[];
  /** The payload without the systems. */
  readonly otherFields: ServiceRecord;
}

/** Matches normalized names of fields that contain systems. */
const systemsField =
  /^(available|supported)?(os(es|list)?|(operating)?systems?|blueprints?|templates?|images?|distributions?|distros?)$/;
/** Matches normalized names of fields that list the systems in a group. */
const groupedField =
  /^(versions?|releases?|variants?|templates?|images?|items|(operating)?systems?|os(list)?|children|distributions?|distros?|list|entries|flavou?rs?)$/;
/** Matches normalized names of fields that describe the body to send. */
const bodyField =
  /^((post|request|expected)?(body|payload|schema|fields?|params?|parameters|properties)|expected|required.*|example)$/;
const deliveryField = /^deliver(y|ies)(modes?|methods?|options?)?$/;
const systemName =
  /debian|ubuntu|centos|alma|rocky|fedora|rhel|red ?hat|suse|sles|arch|alpine|gentoo|bsd|windows|oracle|kali|nixos|linux/i;

/** Reads the operating systems for a reinstall, and the body to send. */
export function readReinstallOptions(payload: unknown): ReinstallOptions {
  // Otherwise, a pair such as `{ name: 'root_password', value: '…' }` would be mistaken for an operating
  // system.
  const data = withoutSecrets(payload);
  const matcher = openMatcher(payload);
  const { entries, otherFields } = findEntries(data, {
    listNames: systemsField,
    matcher,
    name: systemValues.id,
    isCertain: (entry, trial) => isSystem(entry, trial) && isNamedLikeSystem(entry.record),
    isPossible: isSystem,
    toRecord: toScalarRecord,
  });
  const systems = entries.flatMap((entry) => toSystem(entry, matcher) ?? []);
  return {
    operatingSystems: [...new Map(systems.map((system) => [system.os, system])).values()],
    deliveries: [...new Set(findChoices(data))],
    requiredFields: [...new Set(listRequired(data))].filter(
      (name) => name !== 'os' && !deliveryField.test(normalizeFieldName(name)),
    ),
    otherFields,
  };
}

/** Converts a system's ID in a list, or an entry in a map from ID to name, to a record. */
function toScalarRecord(value: unknown, { key, groups }: Omit<Entry, 'record'>): ServiceRecord | undefined {
  const text = toText(value);
  const list = normalizeFieldName(groups.at(-1) ?? '');
  // A version such as `12`, nested under its distribution's name, isn't the system's ID.
  if (text === undefined || /^[\d.]*$/.test(text)) return undefined;
  const isListed = groups.length === 0 || systemsField.test(list) || systemName.test(list);
  if (key === undefined) return isListed ? { os: text } : undefined;
  return systemsField.test(list) && systemName.test(key + text) && /\d/.test(key)
    ? { os: key, label: text }
    : undefined;
}

/** Returns whether a record describes a single system rather than a group of systems or the body. */
function isSystem({ record, groups, key = '' }: Entry, matcher: Matcher): boolean {
  const isAboutBody = [...groups, key]
    .map(normalizeFieldName)
    .some((name) => bodyField.test(name) || deliveryField.test(name));
  const hasList = Object.entries(record).some(
    ([field, value]) =>
      groupedField.test(normalizeFieldName(field)) && Array.isArray(value) && value.some(isRecord),
  );
  return !isAboutBody && !hasList && matcher.text(systemValues.id, { record, address: [] }) !== undefined;
}

function isNamedLikeSystem(record: ServiceRecord): boolean {
  return Object.values(record).some((value) => typeof value === 'string' && systemName.test(value));
}

function toSystem(entry: Entry, matcher: Matcher): OperatingSystem | undefined {
  const os = matcher.text(systemValues.id, entry);
  const label = readLabel(entry, matcher);
  return os === undefined ? undefined : omitUndefined({ os, label: label === os ? undefined : label });
}

/** Reads a system's name. Adds its version if the name contains none. */
function readLabel(entry: Entry, matcher: Matcher): string | undefined {
  const { record, outer } = entry;
  const candidates = listCandidates(systemValues.label, record);
  const named = candidates.filter(({ value }) => systemName.test(String(value)));
  const label = matcher.text(systemValues.label, entry, [...named, ...candidates].slice(0, 1));
  const version = findText(record, ['version']);
  const needsVersion = !/\d/.test(label ?? '') && /^\d/.test(version ?? '');
  if (!needsVersion) return label;
  // A map by name can be large, so it's searched only if necessary.
  const group = label ?? (outer && findText(outer, ['name', 'label', 'title']));
  return [group, version].filter(Boolean).join(' ');
}

const maxDepth = 5;
const nameFields = words('name field key parameter param');
const choiceFields = words('enum values options allowed allowedvalues choices oneof inline');

/** Finds the password delivery options that a payload lists, at any depth. */
function findChoices(data: unknown, depth = maxDepth): readonly string[] {
  if (typeof data !== 'object' || data === null || depth === 0) return [];
  const name = isRecord(data) ? findText(data, nameFields) : undefined;
  if (name !== undefined && deliveryField.test(normalizeFieldName(name))) return parseChoices(data);
  return Object.entries(data).flatMap(([field, value]) =>
    deliveryField.test(normalizeFieldName(field)) ? parseChoices(value) : findChoices(value, depth - 1),
  );
}

/** Parses choices: a list, a schema with a list, or separated words such as `api|email`. */
function parseChoices(value: unknown): readonly string[] {
  if (isRecord(value)) return findValues(value, choiceFields).flatMap(parseChoices);
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split('|') : [];
  const choices = list.flatMap((item: unknown) => toText(item)?.trim() ?? []);
  return choices.length > 1 || Array.isArray(value)
    ? choices.filter((word) => /^[\w-]{1,40}$/.test(word))
    : [];
}

/** Lists the fields that a body's description marks as required. */
function listRequired(value: unknown, depth = maxDepth): readonly string[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (!/^required/.test(normalizeFieldName(field))) return listRequired(inner, depth - 1);
    if (inner === true && isRecord(value)) return findText(value, nameFields) ?? [];
    const listed: readonly unknown[] = Array.isArray(inner) ? inner : [];
    return listed.flatMap((item) => (isRecord(item) ? findText(item, nameFields) : toText(item)) ?? []);
  });
}
