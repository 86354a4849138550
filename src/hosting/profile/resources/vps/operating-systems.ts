import type { Places } from '../../readings/places.ts';
import { systemReadings } from '../../readings/resource-readings.ts';
import {
  type FoundText,
  findFields,
  findText,
  isRecord,
  normalizeFieldName,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';

/** An operating system that can be installed on a VPS. */
export interface OperatingSystem {
  /** Sent as `os` in the call. */
  readonly os: string;
  /** The display name, if it differs. */
  readonly label?: string;
  readonly record: ServiceRecord;
}

const idFields = systemReadings.id.fields;
const labelFields = systemReadings.label.fields;
const systemNamePattern =
  /debian|ubuntu|centos|alma|rocky|fedora|rhel|red ?hat|opensuse|suse|sles|arch|alpine|gentoo|freebsd|openbsd|netbsd|windows|oracle|mint|kali|nixos|void|slackware|linux|proxmox|cloudlinux|coreos|flatcar|bsd/i;
const groupNameFields = 'name label title family distribution distro os vendor category group type'.split(
  ' ',
);
const childListFields =
  /^(versions?|releases?|variants?|templates?|images?|items|systems?|operatingsystems?|oslist|os|children|options|distributions?|distros?|list|entries|flavou?rs?)$/;

const maxDepth = 5;

/** Matches text that means no system, such as `--none--`. */
const noSystemPattern = /^(|-*(none|null|n\/a)-*)$/i;

interface Group {
  /** Chooses the fields of the systems' IDs and names. */
  readonly places: Places;
  /** Name of the group, such as a distribution. */
  readonly name?: string | undefined;
  /** The fields of the group besides its systems. */
  readonly fields?: ServiceRecord;
}

/** Reads the systems of a payload from a list, a map, or nested groups. */
export function readSystems(place: unknown, group: Group, depth = maxDepth): readonly OperatingSystem[] {
  if (depth < 0) return [];
  if (typeof place === 'string' || typeof place === 'number') return readText(String(place), group);
  if (Array.isArray(place)) {
    return place.flatMap((item: unknown) =>
      isRecord(item) ? readRecord(item, undefined, group, depth) : readSystems(item, group, depth - 1),
    );
  }
  if (!isRecord(place)) return [];
  return isItem(place) ? readRecord(place, undefined, group, depth) : readMap(place, group, depth);
}

/** Reads one or several systems from a string: `debian-12,ubuntu-24.04`. */
function readText(text: string, group: Group): readonly OperatingSystem[] {
  const { name } = group;
  const words = text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => !noSystemPattern.test(word));
  return words.map((word) => {
    // A version alone, such as `12`, means nothing without the name of its distribution.
    const record = { os: word };
    if (name === undefined || !/^[\d.]+$/.test(word)) return toSystem({ os: word, record, group });
    const os = `${name}-${word}`.toLowerCase().replace(/\s+/g, '-');
    return toSystem({ os, label: `${name} ${word}`, record, group });
  });
}

function toSystem({
  os,
  label,
  record,
  group,
}: {
  readonly os: string;
  readonly label?: string | undefined;
  readonly record: ServiceRecord;
  readonly group: Group;
}): OperatingSystem {
  return {
    os,
    ...(label !== undefined && label !== os && { label }),
    record: group.fields === undefined ? record : { ...record, group: group.fields },
  };
}

/** Reads a record that describes a system, or a group with a list of systems. */
function readRecord(
  record: ServiceRecord,
  key: string | undefined,
  group: Group,
  depth: number,
): readonly OperatingSystem[] {
  const lists = Object.entries(record).filter(
    ([field, value]) =>
      childListFields.test(normalizeFieldName(field)) &&
      isNonEmptyList(value) &&
      !isBaseImage(field, value, record),
  );
  const { places } = group;
  if (lists.length > 0) {
    const name = findText(record, groupNameFields) ?? key ?? group.name;
    const listFields = lists.map(([field]) => field);
    const own = Object.entries(record).filter(([field]) => !listFields.includes(field));
    const fields = { ...Object.fromEntries(own), ...(group.fields && { group: group.fields }) };
    return lists.flatMap(([, list]) => readSystems(list, { places, name, fields }, depth - 1));
  }
  const isChosen = places.correctionOf(systemReadings.id) !== undefined;
  const os =
    places.findText(systemReadings.id, record, () => listIds(record)) ??
    (isChosen ? undefined : (key ?? findText(record, ['name', 'label', 'title'])));
  if (os === undefined) return isChosen ? [] : readMap(record, { places, name: key ?? group.name }, depth);
  const text = places.findText(systemReadings.label, record, () => listLabels(record));
  return [toSystem({ os, label: completeLabel(text, record, group), record, group })];
}

/** Returns whether a field is the image that a system with an ID of its own is made from. */
function isBaseImage(field: string, value: unknown, record: ServiceRecord): boolean {
  const hasOwnId = findText(record, ['id', 'uuid', 'identifier']) !== undefined;
  return hasOwnId && /^(image|template)$/i.test(field) && isRecord(value) && isItem(value);
}

/**
 * Adds the words that tell systems apart to a label: the distribution before a version alone or a
 * variant, and the version after a name without one.
 */
function completeLabel(text: string | undefined, record: ServiceRecord, group: Group): string | undefined {
  if (text === undefined) return undefined;
  if (/^[\d.]+( |$)/.test(text) && group.name !== undefined) return `${group.name} ${text}`;
  const base = [record.image, record.template].flatMap((value) =>
    isRecord(value) ? (findText(value, ['name', 'label', 'title']) ?? []) : [],
  )[0];
  if (!isSystemName(text) && isSystemName(base)) return `${base} ${text}`;
  const version = findText(record, ['version']);
  const addsVersion = isSystemName(text) && !/\d/.test(text) && /^\d/.test(version ?? '');
  return addsVersion ? `${text} ${version}` : text;
}

/**
 * Lists the fields that can contain the ID of a system, the best one first. An `os` without a version,
 * such as `linux`, is a family if the system also has an ID of its own.
 */
function listIds(record: ServiceRecord): readonly FoundText[] {
  const texts = listTexts(record, idFields);
  if (texts.length === 0) return listIdsByName(record);
  const hasOwnId = texts.some(({ path }) => ownIdFields.test(normalizeFieldName(path[0] ?? '')));
  const isFamily = ({ path, value }: FoundText) =>
    normalizeFieldName(path[0] ?? '') === 'os' && !/\d/.test(value);
  return hasOwnId ? texts.filter((text) => !isFamily(text)) : texts;
}

/**
 * Lists the only field that is named like an ID, such as `blueprintId`. Returns none if several
 * fields match.
 */
function listIdsByName(record: ServiceRecord): readonly FoundText[] {
  const fields = Object.keys(record).filter((field) => /([a-z]I[Dd]|[_-]id)$/.test(field));
  return fields.length === 1 ? listTexts(record, fields.map(normalizeFieldName)) : [];
}

const ownIdFields = /^(id|osid|uuid|slug|identifier|templateid|imageid)$/;

function listTexts(record: ServiceRecord, fields: readonly string[]): readonly FoundText[] {
  return findFields(record, fields).flatMap(({ field, value }): FoundText[] => {
    const text = toText(value);
    return text === undefined ? [] : [{ path: [field], value: text }];
  });
}

/**
 * Lists the fields that can contain the name of a system, the best one first. A description beside
 * a name can be about anything, unless it is the same name in another spelling, or has all words of a
 * name such as `windows-2022-standard`.
 */
function listLabels(record: ServiceRecord): readonly FoundText[] {
  const texts = listTexts(record, [...labelFields, 'version']);
  const isAbout = ({ path }: FoundText) => /^(description|text)$/.test(normalizeFieldName(path[0] ?? ''));
  const name = texts.find((text) => !isAbout(text) && isSystemName(text.value));
  if (name === undefined) return texts.slice(0, 1);
  const words = /^[a-z0-9]+([._-][a-z0-9]+)+$/.test(name.value) ? name.value.split(/[._-]/) : undefined;
  const isSame = ({ value }: FoundText) =>
    normalizeFieldName(value) === normalizeFieldName(name.value) ||
    words?.every((word) =>
      value
        .toLowerCase()
        .split(/[\s._-]+/)
        .includes(word),
    );
  return [texts.find((text) => isAbout(text) && isSame(text)) ?? name];
}

/** Returns whether text contains the name of an operating system. */
export function isSystemName(text: string | undefined): boolean {
  return text !== undefined && systemNamePattern.test(text);
}

/** Reads a map from ID to name or record, or from group to systems. */
function readMap(record: ServiceRecord, group: Group, depth: number): readonly OperatingSystem[] {
  const { places } = group;
  return Object.entries(record).flatMap(([key, value]) => {
    if (isRecord(value) && (isItem(value) || hasOnlyTexts(value)))
      return isItem(value)
        ? readRecord(value, key, group, depth)
        : readMap(value, { places, name: key }, depth - 1);
    if (typeof value === 'object') return readSystems(value, { places, name: key }, depth - 1);
    if (/^(current|installed|present|default|selected|vps)/.test(normalizeFieldName(key))) return [];
    const label = toText(value);
    return label === undefined || label === key
      ? readText(key, group)
      : [toSystem({ os: key, label, record: { [key]: value }, group })];
  });
}

/** Returns whether a record describes a single system or group, judging by its field names. */
function isItem(record: ServiceRecord): boolean {
  return [...idFields, ...labelFields].some((field) => findText(record, [field]) !== undefined);
}

function hasOnlyTexts(record: ServiceRecord): boolean {
  return Object.values(record).every((value) => typeof value === 'string');
}

function isNonEmptyList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
