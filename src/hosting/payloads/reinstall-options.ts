import { type Entry, findEntries } from './entries.ts';
import { listAt, parseAddress } from './field-address.ts';
import { systemValues } from './known-values.ts';
import { limitValues } from './limit-values.ts';
import { type Candidate, listCandidates, type Matcher, openMatcher } from './matcher.ts';
import {
  findText,
  findValues,
  isRecord,
  normalizeFieldName,
  parseFlag,
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
  /** Fields that the service requires in the body besides `os` and `delivery`. */
  readonly requiredFields: readonly string[];
  /** The payload without the systems. */
  readonly otherFields: ServiceRecord;
  /** Whether the payload had more values than are read. */
  readonly isCut?: true;
}

/** Matches normalized names of fields that contain systems. */
const systemsField =
  /^((available|supported|allowed)?(os(es)?|oslist|osoptions|oschoices|operatingsystems?(list)?|systems?|serversos|blueprints?|templates?(kvm|xen|lxc|openvz|hvm)?|images?|isos?|distributions?|distros?)|(os|template|image)?(categories|families|groups))$/;
/** Matches normalized names of lists inside a group, such as a distribution. */
const groupedField =
  /^(versions?|releases?|variants?|templates?|images?|items|systems?|operatingsystems?|oslist|os|children|distributions?|distros?|list|entries|flavou?rs?)$/;
/** Matches normalized names of fields that describe the body to send. */
const bodyField =
  /^((post|request|expected|reinstall)?(body|payload|schema|shape|fields?|params?|parameters|properties|inputs?|form)|expected|expects|required(fields|params|parameters)?|arguments|example|usage)$/;
const deliveryField = /^(delivery|deliveries|delivery(modes?|methods?|options?))$/;
const systemName =
  /debian|ubuntu|centos|alma|rocky|fedora|rhel|red ?hat|suse|sles|arch|alpine|gentoo|bsd|windows|oracle|mint|kali|nixos|void|slackware|linux|proxmox|coreos|flatcar/i;

/** Reads the operating systems for a reinstall, and which body to send. */
export function readReinstallOptions(payload: unknown): ReinstallOptions {
  const { data, isCut } = limitValues(payload);
  const matcher = openMatcher(data);
  const { entries, otherFields } = findEntries(data, {
    listNames: systemsField,
    matcher,
    name: systemValues.id,
    isCertain: (entry) => isSystem(entry) && isNamedLikeSystem(entry, matcher),
    isPossible: isSystem,
    toRecord: toScalarRecord,
  });
  const found = entries.flatMap((entry) => toSystems(entry, matcher));
  const systems = found.length > 0 ? found : findChoices(data, /^os$/).map((os) => ({ os }));
  const mapping = matcher.mappingOf(systemValues.delivery);
  const mapped =
    mapping && listAt(data, parseAddress(mapping.field) ?? []).flatMap((value) => toText(value) ?? []);
  return {
    operatingSystems: [...new Map(systems.map((system) => [system.os, system])).values()],
    deliveries: [...new Set(mapped ?? findChoices(data, deliveryField))],
    requiredFields: [...new Set(listRequired(data, false))].filter(
      (name) => name !== 'os' && !deliveryField.test(normalizeFieldName(name)),
    ),
    otherFields,
    ...(isCut && { isCut }),
  };
}

/** Matches text that means no system, such as `--none--`. */
const noSystem = /^-*(none|null|n\/a)?-*$/i;

/** Converts a name in a list, an entry of a map from ID to name, or names in one text, to a record. */
function toScalarRecord(
  value: unknown,
  { key, isInList, groups, address }: Omit<Entry, 'record'>,
): ServiceRecord | undefined {
  const text = toText(value)?.trim();
  if (text === undefined || noSystem.test(text)) return undefined;
  // A version such as `12`, below the name of its distribution, isn't what the service calls the system.
  const isVersion = /^[\d.]+$/.test(text) && groups.some((group) => systemName.test(group));
  if (isVersion) return undefined;
  if (key === undefined) return { os: text };
  const isList = systemsField.test(normalizeFieldName(key)) && text.includes(',');
  if (isList) return { os: text };
  // The fields of a record aren't systems: only a map whose own name fits is one from ID to name.
  const isMap =
    isInList && address.at(-2) !== '[]' && systemsField.test(normalizeFieldName(groups.at(-1) ?? ''));
  return isMap && !/^(current|installed|present|default|selected|vps)/.test(normalizeFieldName(key))
    ? { os: key, label: text }
    : undefined;
}

/** Fields with a name that can be sent if there is no ID. */
const nameFields = words('name label title');
const itemFields = [...systemValues.id.fields, ...systemValues.label.fields];

/** Returns whether a record describes a single system, judging by its field names. */
function isSystem({ record, groups, key = '', outer }: Entry): boolean {
  const isAboutBody = [...groups, key].some((field) => {
    const name = normalizeFieldName(field);
    return bodyField.test(name) || deliveryField.test(name) || field === '_templates';
  });
  const hasList = Object.entries(record).some(
    ([field, value]) =>
      groupedField.test(normalizeFieldName(field)) && Array.isArray(value) && value.length > 0,
  );
  // What is inside a system describes it, such as its aliases.
  const isPart =
    outer !== undefined && !hasLists(outer) && findText(outer, systemValues.id.fields) !== undefined;
  const hasName = listIds(record).length > 0 || findText(record, nameFields) !== undefined;
  return (
    !isAboutBody &&
    !hasList &&
    !isPart &&
    (hasName || (key !== '' && findText(record, itemFields) !== undefined))
  );
}

function hasLists(record: ServiceRecord): boolean {
  return Object.values(record).some((value) => Array.isArray(value) && value.length > 0);
}

function isNamedLikeSystem(entry: Entry, matcher: Matcher): boolean {
  const texts = [readLabel(entry, matcher), listIds(entry.record)[0]?.value, readGroup(entry)];
  return texts.some((text) => systemName.test(String(text ?? '')));
}

function toSystems(entry: Entry, matcher: Matcher): readonly OperatingSystem[] {
  const { record, key } = entry;
  const isMapped = matcher.mappingOf(systemValues.id) !== undefined;
  const id =
    matcher.text(systemValues.id, entry, listIds(record)) ??
    (isMapped ? undefined : (key ?? findText(record, nameFields)));
  const isText = id !== undefined && Object.keys(record).length === 1 && id.includes(',');
  const label = readLabel(entry, matcher);
  return (isText ? id.split(',') : [id]).flatMap((text) => {
    const os = text?.trim();
    if (os === undefined || noSystem.test(os)) return [];
    // A version alone, such as `12`, means nothing without the name of its distribution.
    const group = /^[\d.]+( |$)/.test(label ?? os) ? readGroup(entry) : undefined;
    const shown = group === undefined ? label : `${group} ${label ?? os}`;
    const isVersion = group !== undefined && label === undefined;
    return [
      {
        os: isVersion ? `${group}-${os}`.toLowerCase().replaceAll(' ', '-') : os,
        ...(shown !== undefined && shown !== os && { label: shown }),
      },
    ];
  });
}

function readGroup({ outer }: Entry): string | undefined {
  return outer && findText(outer, words('name label title family distribution os'));
}

/** Lists the fields that can contain the ID of a system, the best one first. */
function listIds(record: ServiceRecord): readonly Candidate[] {
  const texts = listCandidates(systemValues.id, record);
  // An `os` without a version, such as `linux`, is a family if the system has an ID of its own.
  const own = texts.filter(
    ({ path, value }) => normalizeFieldName(path[0] ?? '') !== 'os' || /\d/.test(String(value)),
  );
  if (texts.length > 0) return own.length > 0 ? own : texts;
  // The only field that is named like an ID, such as `blueprintId`.
  const fields = Object.keys(record).filter((field) => /([a-z]I[Dd]|[_-]id)$/.test(field));
  return fields.length === 1
    ? listCandidates({ ...systemValues.id, fields: fields.map(normalizeFieldName) }, record)
    : [];
}

/** Reads the name of a system, with its version or that of its image if it has none. */
function readLabel(entry: Entry, matcher: Matcher): string | undefined {
  const { record } = entry;
  const fields = [...systemValues.label.fields, 'version'];
  const texts = listCandidates({ ...systemValues.label, fields }, record);
  const named = texts.filter(({ value }) => systemName.test(String(value)));
  const label = matcher.text(systemValues.label, entry, [...preferSpelled(named), ...texts].slice(0, 1));
  if (label === undefined) return undefined;
  const version = findText(record, ['version']);
  if (!/\d/.test(label) && /^\d/.test(version ?? '')) return `${label} ${version}`;
  const image = Object.values(record)
    .flatMap((value) => (isRecord(value) ? (findText(value, ['name']) ?? []) : []))
    .find((text) => systemName.test(text));
  return image !== undefined && !systemName.test(label) ? `${image} ${label}` : label;
}

/** Puts a name such as `Debian 12` before the same name in another spelling, such as `debian-12`. */
function preferSpelled(named: readonly Candidate[]): readonly Candidate[] {
  const [first] = named;
  const partsOf = ({ value }: Candidate) =>
    String(value)
      .toLowerCase()
      .split(/[\s._-]+/);
  const isSlug = first !== undefined && /^[a-z\d]+([._-][a-z\d]+)+$/.test(String(first.value));
  const spelled = named.find(
    (one) =>
      isSlug &&
      /[A-Z]/.test(String(one.value)) &&
      partsOf(first).every((part) => partsOf(one).includes(part)),
  );
  return spelled ? [spelled] : named;
}

const maxDepth = 5;
const entryNameFields = words('name field key parameter param id');
const choiceFields = words('enum values options allowed allowedvalues choices oneof inline modes');

/** Finds the values that a payload lists for a field of the body, at any depth. */
function findChoices(data: unknown, field: RegExp, depth = maxDepth): readonly string[] {
  if (typeof data !== 'object' || data === null || depth === 0) return [];
  const name = isRecord(data) ? findText(data, entryNameFields) : undefined;
  if (isRecord(data) && name !== undefined && field.test(normalizeFieldName(name)))
    return findValues(data, choiceFields).flatMap((value) => parseChoices(value));
  return Object.entries(data).flatMap(([inner, value]) =>
    field.test(normalizeFieldName(inner)) ? parseChoices(value) : findChoices(value, field, depth - 1),
  );
}

/** Parses choices: a list, a text such as `api|email`, a schema, or a map from value to description. */
function parseChoices(value: unknown): readonly string[] {
  if (typeof value === 'string') return parseChoicesText(value);
  if (Array.isArray(value))
    return value.flatMap(
      (item: unknown) =>
        (isRecord(item) ? findText(item, words('value id const name key')) : toText(item)) ?? [],
    );
  if (!isRecord(value)) return [];
  const [choices] = findValues(value, choiceFields);
  if (choices !== undefined) return parseChoices(choices);
  const isSchema = findValues(value, words('type description required nullable default title')).length > 0;
  return isSchema ? [] : Object.keys(value);
}

const typeWord =
  /^(string|text|str|int|integer|number|bool|boolean|array|object|enum|required|optional|any)$/i;

/** Parses separated words as choices. Names of types, and `required`, aren't choices. */
function parseChoicesText(text: string): readonly string[] {
  if (text.length > 1_000) return [];
  const choices = text
    .replace(/^.*:/, '')
    .split(/\s*(?:[|,/]|\bor\b)\s*/)
    .map((word) => word.replace(/^['"`(\s]+|['"`)\s]+$/g, ''));
  return choices.every((word) => /^[\w-]{1,40}$/.test(word))
    ? choices.filter((word) => !typeWord.test(word))
    : [];
}

/** Lists the fields that a description of the body calls required. */
function listRequired(value: unknown, isInBody: boolean, depth = maxDepth): readonly string[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([field, inner]): readonly string[] => {
    const name = normalizeFieldName(field);
    if (/^required/.test(name) && Array.isArray(inner))
      return inner.flatMap((item) => (isRecord(item) ? findText(item, entryNameFields) : toText(item)) ?? []);
    const isBody = isInBody || bodyField.test(name) || field === '_templates';
    const nested = listRequired(inner, isBody, depth - 1);
    if (!isBody || nested.length > 0) return nested;
    const isMarked = isRecord(inner)
      ? findValues(inner, ['required', 'mandatory']).some((flag) => parseFlag(flag) === true)
      : typeof inner === 'string' && /(?<!not )\brequired\b/i.test(inner);
    const own = (isRecord(inner) ? findText(inner, entryNameFields) : undefined) ?? field;
    return isMarked && !/^\d+$/.test(own) ? [own] : [];
  });
}
