import { findList, type ListKind } from './lists.ts';
import { bare, isRecord, type ServiceRecord, textOf } from './records.ts';

/** An operating system that a VPS can be reinstalled with. */
export interface SystemReading {
  /** What the call takes as `os`. */
  readonly os: string;
  /** How people call it, where that is something else. */
  readonly label?: string;
  readonly record: ServiceRecord;
}

export interface ReinstallOptionsReading {
  readonly systems: readonly SystemReading[];
  /** Values of `delivery`; empty where the payload does not tell. */
  readonly deliveries: readonly string[];
  /** What came beside the list of systems. */
  readonly rest: ServiceRecord;
}

const idFields = 'os osid id slug identifier code key value template templateid image imageid'.split(' ');
const labelFields = 'label title displayname prettyname fullname description text name osname'.split(' ');

const systemKind: ListKind<SystemReading> = {
  fields:
    /^(os|oslist|oses|operatingsystems?|systems?|templates?|images?|distributions?|distros?|availableos|availablesystems)$/,
  fits: ({ key, record }) =>
    key === undefined
      ? osOf(record) !== undefined
      : looksLikeSystem(key) && textOf(record, labelFields) !== undefined,
  recordOf(value, key) {
    if (typeof value !== 'string' || value === '') return undefined;
    // In a map, only what looks like a system is one: the other texts of a record are not.
    if (key === undefined) return { os: value };
    return looksLikeSystem(key) ? { os: key, name: value } : undefined;
  },
  read({ key, record }) {
    const os = osOf(record, key);
    if (os === undefined) return undefined;
    const label = textOf(record, labelFields);
    return { os, ...(label !== undefined && label !== os && { label }), record };
  },
};

/** Such as `debian-13`. */
function looksLikeSystem(key: string): boolean {
  return /\p{L}/u.test(key) && /\d/.test(key);
}

function osOf(record: ServiceRecord, key?: string): string | undefined {
  return textOf(record, idFields) ?? key ?? textOf(record, ['name', 'label', 'title']);
}

/** Reads what a VPS can be reinstalled with, and how the result can be delivered. */
export function readReinstallOptions(data: unknown): ReinstallOptionsReading {
  const { readings, rest } = findList(data, systemKind);
  return { systems: readings, deliveries: [...new Set(deliveriesIn(data))], rest };
}

const mostDepth = 5;
const deliveryField = /^(delivery|deliveries|deliverymodes?|deliverymethods?|deliveryoptions?)$/;
const choiceFields =
  /^(enum|values?|options?|allowed|allowedvalues|choices|oneof|modes?|methods?|items|example)$/;

/** Finds the values of `delivery` wherever a field, or an entry of a list of fields, is called so. */
function deliveriesIn(data: unknown, depth = mostDepth): string[] {
  if (typeof data !== 'object' || data === null || depth === 0) return [];
  const name = isRecord(data) ? textOf(data, ['name', 'field', 'key', 'parameter']) : undefined;
  if (name !== undefined && deliveryField.test(bare(name))) return choicesIn(data, depth);
  return Object.entries(data).flatMap(([field, value]) =>
    deliveryField.test(bare(field)) ? choicesIn(value, depth) : deliveriesIn(value, depth - 1),
  );
}

/** Reads choices: a list, a text such as `api|email`, a schema with its values in a field, or a map from value to description. */
function choicesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return choicesInText(value);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const choice = isRecord(item) ? textOf(item, ['value', 'id', 'const', 'name', 'key']) : item;
      return typeof choice === 'string' && choice !== '' ? [choice] : [];
    });
  }
  if (!isRecord(value) || depth === 0) return [];
  const [, choices] = Object.entries(value).find(([field]) => choiceFields.test(bare(field))) ?? [];
  if (choices !== undefined) return choicesIn(choices, depth - 1);
  const isMap = Object.keys(value).every(
    (field) => !/^(type|description|required|nullable|default)$/.test(field),
  );
  return isMap ? Object.keys(value) : [];
}

/** Words with something between them are choices; a single one may as well be a type. */
function choicesInText(text: string): string[] {
  const words = text
    .replace(/^.*:/, '')
    .split(/\s*(?:[|,/]|\bor\b)\s*/)
    .map((word) => word.replace(/^['"`(\s]+|['"`)\s]+$/g, ''));
  const isChoice = words.every((word) => /^[\w-]{1,40}$/.test(word));
  const isType = words.length === 1 && /^(string|text|str|enum|required|optional|any)$/i.test(words[0] ?? '');
  return isChoice && !isType ? words : [];
}
