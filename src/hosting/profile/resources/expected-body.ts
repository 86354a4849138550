import { parseFlag } from '../values/flags.ts';
import { findText, findValues, isRecord, normalizeFieldName, type ServiceRecord } from '../values/records.ts';

/** A field that the service expects in the body. */
export interface BodyField {
  readonly name: string;
  readonly isRequired: boolean;
  /** The accepted values. Empty if the payload doesn't say which. */
  readonly choices: readonly string[];
}

/** Matches normalized names of fields that describe the body to send. */
export const bodyFieldPattern =
  /^((post|request|expected|reinstall)?(body|payload|schema|shape|request|fields?|params?|parameters|properties|inputs?|form|data)|expected|expects|required(fields|params|parameters)?|arguments|felder|example|usage)$/;
const bodyNamePattern = /^(?!(data|result)$)/;

const deliveryFieldPattern = /^(delivery|deliveries|deliverymodes?|deliverymethods?|deliveryoptions?)$/;
const choiceFieldPattern =
  /^(enum|values?|options?|allowed|allowedvalues|choices|oneof|modes?|methods?|items|example)$/;
const fieldNameFields = ['name', 'field', 'key', 'parameter', 'param', 'id'];

const maxDepth = 5;

/** Returns whether a field of a payload describes the body to send, or a way to deliver the result. */
export function isAboutBody(field: string): boolean {
  const name = normalizeFieldName(field);
  return (bodyFieldPattern.test(name) && bodyNamePattern.test(name)) || deliveryFieldPattern.test(name);
}

/** Finds the values of `delivery` in a field of that name, or in an entry about it, at any depth. */
export function findDeliveries(data: unknown, depth = maxDepth): string[] {
  if (typeof data !== 'object' || data === null || depth === 0) return [];
  const name = isRecord(data) ? findText(data, fieldNameFields) : undefined;
  if (name !== undefined && deliveryFieldPattern.test(normalizeFieldName(name)))
    return parseChoices(data, depth);
  return Object.entries(data).flatMap(([field, value]) =>
    deliveryFieldPattern.test(normalizeFieldName(field))
      ? parseChoices(value, depth)
      : findDeliveries(value, depth - 1),
  );
}

/** Reads which fields of the body a payload describes. */
export function readBodyFields(data: unknown, depth = maxDepth): readonly BodyField[] {
  if (!isRecord(data) || depth === 0) return [];
  const bodies = Object.entries(data).filter(
    ([field, value]) =>
      isAboutBody(field) && !isDelivery(field) && typeof value === 'object' && value !== null,
  );
  const inner = bodies.length > 0 ? [] : Object.values(data);
  const found = [
    ...bodies.flatMap(([field, value]) => parseBody(value, /^required/i.test(field), depth - 1)),
    ...inner.flatMap((value) => readBodyFields(value, depth - 1)),
  ];
  return mergeFields(found);
}

/** Returns the values that a payload lists for one field of the body. */
export function findBodyChoices(data: unknown, name: string): readonly string[] {
  return readBodyFields(data).find((field) => field.name === name)?.choices ?? [];
}

/**
 * Parses the description of a body: a list of names or records, a map from name to description, or
 * a JSON schema.
 */
function parseBody(body: unknown, isRequired: boolean, depth: number): readonly BodyField[] {
  if (depth < 0) return [];
  if (Array.isArray(body)) return body.flatMap((item: unknown) => parseEntry(item, isRequired));
  if (!isRecord(body)) return [];
  const { required, properties } = body;
  if (isRecord(properties) || (Array.isArray(required) && findValues(body, ['type', 'fields']).length > 0)) {
    return [
      ...parseBody(properties ?? body.fields, false, depth - 1),
      ...(Array.isArray(required) ? parseBody(required, true, depth - 1) : []),
    ];
  }
  const nested = Object.entries(body).filter(
    ([field, value]) => isAboutBody(field) && isRecord(value) && !isDelivery(field),
  );
  if (nested.length > 0)
    return nested.flatMap(([field, value]) => parseBody(value, /^required/i.test(field), depth - 1));
  return Object.entries(body).map(([name, description]) => ({
    name,
    isRequired: isRequired || isMarkedRequired(description),
    choices: parseChoices(description, maxDepth),
  }));
}

function parseEntry(item: unknown, isRequired: boolean): readonly BodyField[] {
  if (typeof item === 'string') return item === '' ? [] : [{ name: item, isRequired, choices: [] }];
  const name = isRecord(item) ? findText(item, fieldNameFields) : undefined;
  if (!isRecord(item) || name === undefined) return [];
  const { [fieldOf(item, name)]: _, ...description } = item;
  return [
    { name, isRequired: isRequired || isMarkedRequired(item), choices: parseChoices(description, maxDepth) },
  ];
}

function fieldOf(record: ServiceRecord, value: string): string {
  return Object.keys(record).find((field) => record[field] === value) ?? '';
}

/** Returns whether a description says that a field is required, by a flag or a word. */
function isMarkedRequired(description: unknown): boolean {
  if (typeof description === 'string') return /(?<!not )\brequired\b/i.test(description);
  return isRecord(description) && parseFlag(findValues(description, ['required', 'mandatory'])[0]) === true;
}

function mergeFields(fields: readonly BodyField[]): readonly BodyField[] {
  const merged = new Map<string, BodyField>();
  for (const field of fields) {
    const before = merged.get(field.name);
    merged.set(field.name, {
      name: field.name,
      isRequired: field.isRequired || before?.isRequired === true,
      choices: [...new Set([...(before?.choices ?? []), ...field.choices])],
    });
  }
  return [...merged.values()];
}

function isDelivery(field: string): boolean {
  return deliveryFieldPattern.test(normalizeFieldName(field));
}

/**
 * Parses choices: a list, a string such as `api|email`, a schema, or a map from value to
 * description.
 */
function parseChoices(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return parseChoicesText(value);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const choice = isRecord(item) ? findText(item, ['value', 'id', 'const', 'name', 'key']) : item;
      return typeof choice === 'string' && choice !== '' ? [choice] : [];
    });
  }
  if (!isRecord(value) || depth === 0) return [];
  const [, choices] =
    Object.entries(value).find(([field]) => choiceFieldPattern.test(normalizeFieldName(field))) ?? [];
  if (choices !== undefined) return parseChoices(choices, depth - 1);
  const isMap = Object.keys(value).every(
    (field) => !/^(type|description|required|mandatory|nullable|default|label|title|format)$/.test(field),
  );
  return isMap ? Object.keys(value) : [];
}

const typeWordPattern =
  /^(string|text|str|int|integer|number|bool|boolean|array|object|enum|required|optional|any)$/i;

/** Longer text isn't a list of choices, and splitting it could take long. */
const maxChoicesChars = 1_000;

/** Parses separated words as choices. Names of types, and `required`, aren't choices. */
function parseChoicesText(text: string): string[] {
  if (text.length > maxChoicesChars) return [];
  const words = text
    .replace(/^.*:/, '')
    .split(/\s*(?:[|,/]|\b(?:or|oder|ou|o)\b)\s*/)
    .map((word) => word.replace(/^['"`(\s]+|['"`)\s]+$/g, ''));
  const isChoice = words.every((word) => /^[\w-]{1,40}$/.test(word));
  return isChoice ? words.filter((word) => !typeWordPattern.test(word)) : [];
}
