import { isNamedSecret, looksSecret, tellsSecret, withoutUrlPasswords } from '../secrets.ts';
import { asRest } from './lists.ts';
import { isEmpty, isRecord, type ServiceRecord } from './records.ts';

/** A value that may be a secret. */
export interface Secret {
  /** Where it stood, from the outside in: `['credentials', 'password']`; entries of a list count from 1. */
  readonly path: readonly string[];
  readonly value: string;
}

/** A payload in two: what can be shown to everybody, and what only the one who asked may see, once. */
export interface ResultReading {
  readonly shown: ServiceRecord;
  readonly secrets: readonly Secret[];
}

/** Tells by more than its name whether a field is a secret. */
interface Suspicion {
  readonly field?: (field: string) => boolean;
  readonly text?: (text: string) => boolean;
}

/** Deeper, a payload is not shown at all. */
const mostDepth = 12;

/** Splits a payload of unknown shape: by names and places of fields, pairs of name and value, URLs and sentences with secrets in them. */
export function readResultSecrets(data: unknown): ResultReading {
  return splitSecrets(data, {});
}

/** Splits what a reinstall or a root password reset answers. There, a text that looks generated is a secret whatever its name. */
export function readPasswordResult(data: unknown): ResultReading {
  return splitSecrets(data, { text: looksGenerated });
}

/** Splits a payload, with suspicions of one's own on top of those that hold everywhere. */
export function splitSecrets(data: unknown, suspicion: Suspicion): ResultReading {
  const secrets: Secret[] = [];
  return { shown: asRest(withoutSecrets(data, [], { suspicion, secrets })), secrets };
}

interface Split {
  readonly suspicion: Suspicion;
  readonly secrets: Secret[];
}

/** Returns what can be shown of a value, `undefined` for nothing, and adds the rest to the secrets. */
function withoutSecrets(value: unknown, path: readonly string[], split: Split): unknown {
  if (path.length > mostDepth) return isEmpty(value) ? value : '…';
  if (Array.isArray(value)) {
    if (isSecretPair(value)) {
      const shown = keepSecret(value[1], path, split);
      return shown === undefined ? [value[0]] : [value[0], shown];
    }
    return value.flatMap((item, index) => {
      const shown = withoutSecrets(item, [...path, String(index + 1)], split);
      return shown === undefined ? [] : [shown];
    });
  }
  if (isRecord(value)) return fieldsWithoutSecrets(value, path, split);
  if (typeof value !== 'string') return value;
  if (tellsSecret(value) || split.suspicion.text?.(value)) return keepSecret(value, path, split);
  const shown = withoutUrlPasswords(value);
  if (shown !== value) split.secrets.push({ path, value });
  return shown;
}

function fieldsWithoutSecrets(record: ServiceRecord, path: readonly string[], split: Split): ServiceRecord {
  const shown = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    const place = [...path, field];
    const isSecret =
      looksSecret(field) || isNamedSecret(field, record) || (split.suspicion.field?.(field) ?? false);
    const left = isSecret ? keepSecret(value, place, split) : withoutSecrets(value, place, split);
    return left === undefined ? [] : [[field, left]];
  });
  return Object.fromEntries(shown);
}

/** Adds every text and number in a value to the secrets. What is no secret, a flag or nothing at all, is given back. */
function keepSecret(value: unknown, path: readonly string[], split: Split): unknown {
  if (typeof value === 'boolean' || isEmpty(value)) return value;
  if (typeof value !== 'object' || value === null) {
    split.secrets.push({ path, value: String(value) });
    return undefined;
  }
  if (path.length > mostDepth) return '…';
  const isList = Array.isArray(value);
  const left = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const shown = keepSecret(inner, [...path, isList ? String(Number(field) + 1) : field], split);
    return shown === undefined ? [] : [[field, shown]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Tells whether a list is a name and its value: `['root_password', '…']`. */
function isSecretPair(list: readonly unknown[]): boolean {
  return list.length === 2 && typeof list[0] === 'string' && looksSecret(list[0]);
}

const known = /^(?:vps-|\d{4}-\d\d-\d\d[T ]|[a-z][a-z0-9+.-]*:\/\/|[^@\s]+@[^@\s]+\.[a-z]+$|[\d.:a-f/]+$)/i;

/** Tells whether a text looks as if a machine had chosen it: one word of at least 8 characters of three kinds. */
function looksGenerated(text: string): boolean {
  if (!/^\S{8,128}$/.test(text) || known.test(text)) return false;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text));
  return kinds.length >= 3;
}
