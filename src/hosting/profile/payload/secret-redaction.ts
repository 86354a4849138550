import {
  containsSecret,
  isLoginLink,
  isPublicKeyText,
  isSecretField,
  isSecretPair,
  redactUrlPasswords,
} from '../../secret-detection.ts';
import { isEmpty, isRecord, type ServiceRecord } from '../values/records.ts';
import { toOtherFields } from './list-finder.ts';

/** A possible secret. */
export interface ExtractedSecret {
  /**
   * Where the secret was found, outermost first: `['credentials', 'password']`. List entries count
   * from 1.
   */
  readonly path: readonly string[];
  readonly value: string;
}

/**
 * A payload split into a part that everyone can see, and secrets that only the requester can see,
 * and only once.
 */
export interface RedactedPayload {
  readonly redacted: ServiceRecord;
  readonly secrets: readonly ExtractedSecret[];
}

/** Rules that apply in addition to the usual field names. */
interface SecretRules {
  readonly isSecretField?: (field: string) => boolean;
  readonly isSecretText?: (text: string) => boolean;
}

/** Deeper values are left out. */
const maxDepth = 12;

/**
 * Separates the secrets of a payload. They are found by field names, name-value pairs, URLs and
 * sentences.
 */
export function redactResult(data: unknown): RedactedPayload {
  return redactPayload(data, {});
}

/**
 * Separates the secrets of a reinstall or password reset. Here, any text that looks generated
 * counts as a secret.
 */
export function redactPasswordResult(data: unknown): RedactedPayload {
  return redactPayload(data, { isSecretText: isLikelyGenerated });
}

/** Separates the secrets of a payload by the usual rules and the additional ones. */
export function redactPayload(data: unknown, rules: SecretRules): RedactedPayload {
  const secrets: ExtractedSecret[] = [];
  return { redacted: toOtherFields(redactValue(data, [], { rules, secrets })), secrets };
}

interface RedactionContext {
  readonly rules: SecretRules;
  readonly secrets: ExtractedSecret[];
}

/** Returns the public part of a value, or undefined if there is none. Adds its secrets to the context. */
function redactValue(value: unknown, path: readonly string[], context: RedactionContext): unknown {
  if (path.length > maxDepth) return isEmpty(value) ? value : '…';
  if (Array.isArray(value)) {
    if (isSecretPair(value)) {
      const shown = extractSecrets(value[1], path, context);
      return shown === undefined ? [value[0]] : [value[0], shown];
    }
    return value.flatMap((item, index) => {
      const shown = redactValue(item, [...path, String(index + 1)], context);
      return shown === undefined ? [] : [shown];
    });
  }
  if (isRecord(value)) return redactFields(value, path, context);
  if (typeof value !== 'string' || isPublicKeyText(value)) return value;
  if (containsSecret(value) || context.rules.isSecretText?.(value))
    return extractSecrets(value, path, context);
  const shown = redactUrlPasswords(value);
  if (shown !== value) context.secrets.push({ path, value });
  return shown;
}

function redactFields(
  record: ServiceRecord,
  path: readonly string[],
  context: RedactionContext,
): ServiceRecord {
  const shown = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    const fieldPath = [...path, field];
    const isSecret =
      isSecretField(field, record) ||
      isLoginLink(field, value) ||
      (context.rules.isSecretField?.(field) ?? false);
    const left = isSecret
      ? extractSecrets(value, fieldPath, context)
      : redactValue(value, fieldPath, context);
    return left === undefined ? [] : [[field, left]];
  });
  return Object.fromEntries(shown);
}

/**
 * Adds all text and numbers in a value to the secrets. Returns what remains: flags, public keys and
 * empty values.
 */
function extractSecrets(value: unknown, path: readonly string[], context: RedactionContext): unknown {
  if (typeof value === 'boolean' || isEmpty(value) || isPublicKeyText(value)) return value;
  if (typeof value !== 'object' || value === null) {
    context.secrets.push({ path, value: String(value) });
    return undefined;
  }
  if (path.length > maxDepth) return '…';
  const isList = Array.isArray(value);
  const left = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const shown = extractSecrets(inner, [...path, isList ? String(Number(field) + 1) : field], context);
    return shown === undefined ? [] : [[field, shown]];
  });
  if (left.length === 0) return undefined;
  return isList ? left.map(([, shown]) => shown) : Object.fromEntries(left);
}

const knownPlainPattern =
  /^(?:vps-|\d{4}-\d\d-\d\d[T ]|[a-z][a-z0-9+.-]*:\/\/|[^@\s]+@[^@\s]+\.[a-z]+$|[\d.:a-f/]+$)/i;

/**
 * Returns whether text looks generated: one word of 8 or more characters of at least three kinds.
 */
function isLikelyGenerated(text: string): boolean {
  if (!/^\S{8,128}$/.test(text) || knownPlainPattern.test(text)) return false;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text));
  return kinds.length >= 3;
}
