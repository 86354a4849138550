import { isHarmlessField, isUsualName } from './harmless-fields.ts';
import { isEmpty } from './payloads/record.ts';
import {
  containsSecret,
  isNamedSecretValue,
  isNameInPair,
  isPublicKeyText,
  isSecretFieldName,
  isSecretInGroup,
  isSecretPair,
  redactUrlPasswords,
} from './secret-detection.ts';
import { createSecretMatcher, type SecretMatcher } from './secret-matcher.ts';
import { isLoginField, isLoginText } from './ticket-links.ts';

export interface ExtractedSecret {
  /** The path to the secret, outermost first: `['credentials', 'password']`. List entries count from 1. */
  readonly path: readonly string[];
  readonly value: string;
}

/** A payload split into a part that everyone can see, and secrets that only the requester can see, once. */
export interface RedactedPayload {
  readonly redacted: Readonly<Record<string, unknown>>;
  readonly secrets: readonly ExtractedSecret[];
}

/** Rules that apply in addition to the usual field names. */
interface SecretRules {
  readonly isSecretField?: (field: string) => boolean;
}

/** Maximum nesting. Deeper values aren't shown. */
const maxDepth = 12;

/**
 * Separates a payload's secrets, found by field names, name-value pairs, links and sentences. Any text that
 * contains one of them is a secret too.
 */
export function redactResult(data: unknown): RedactedPayload {
  return redactPayload(data, {});
}

/** Separates a payload's secrets by the usual and additional rules. */
export function redactPayload(data: unknown, rules: SecretRules): RedactedPayload {
  const secrets: ExtractedSecret[] = [];
  return { redacted: toRecord(removeSecrets(data, rules, secrets)), secrets };
}

export function withoutSecrets(data: unknown): unknown {
  return removeSecrets(data, {}, []);
}

function removeSecrets(data: unknown, rules: SecretRules, secrets: ExtractedSecret[]): unknown {
  const context: RedactionContext = { rules, secrets, verdicts: new Map() };
  const named = redactValue(data, [], false, context);
  if (secrets.length === 0) return named;
  const containsFound = createSecretMatcher(secrets.map(({ value }) => value));
  return redactMentions(named, [], secrets, containsFound);
}

/**
 * Separates the secrets in a result that contains new ones, such as after a password reset. Everything is a
 * secret except fields known to be harmless. `sent` are the values in the request.
 */
export function redactOneTimeResult(data: unknown, sent: readonly string[]): RedactedPayload {
  const secrets: ExtractedSecret[] = [];
  return { redacted: toRecord(keepHarmless(data, [], sent, secrets)), secrets };
}

function keepHarmless(
  value: unknown,
  path: readonly string[],
  sent: readonly string[],
  secrets: ExtractedSecret[],
): unknown {
  if (isEmpty(value)) return path.every(isUsualName) ? value : undefined;
  const isDeep = path.length > maxDepth;
  if (typeof value === 'object' && value !== null && !isDeep) {
    return mapEntries(value, path, (inner, innerPath) => keepHarmless(inner, innerPath, sent, secrets));
  }
  if (!isDeep && isScalar(value) && isHarmlessField(path, value, sent)) return value;
  const text = isDeep ? listScalars(value).join(' ') : String(value);
  if (text === '') return undefined;
  // An unusual name could itself be the secret, so it isn't shown as a label.
  const isNamed = isUsualName(path.at(-1) ?? '');
  secrets.push({ path, value: isNamed ? text : `${path.at(-1)}: ${text}` });
  return undefined;
}

/** Maximum number of values kept from a part that's nested too deeply. */
const maxDeepValues = 40;

/** Lists the values in a payload of any depth. */
function listScalars(value: unknown): readonly string[] {
  const scalars: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0 && scalars.length < maxDeepValues) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null)
      open.push(...Object.values(next).slice(0, maxDeepValues).reverse());
    else if (!isEmpty(next)) scalars.push(String(next));
  }
  return scalars;
}

interface RedactionContext {
  readonly rules: SecretRules;
  readonly secrets: ExtractedSecret[];
  /** Whether field names name secrets, by group. Cached, because records in a list have the same names. */
  readonly verdicts: Map<string, Map<string, boolean>>;
}

/** Returns whether text is a secret by itself. */
function isSecretText(text: string): boolean {
  return containsSecret(text) && !isPublicKeyText(text);
}

/** Returns the public part of a value, or undefined if there is none. Adds its secrets to the context. */
function redactValue(
  value: unknown,
  path: readonly string[],
  isInLogin: boolean,
  context: RedactionContext,
): unknown {
  if (path.length > maxDepth) return isEmpty(value) ? value : '…';
  if (Array.isArray(value) && isSecretPair(value)) {
    const shown = extractSecrets(value[1], path, context.secrets);
    return shown === undefined ? [value[0]] : [value[0], shown];
  }
  if (typeof value === 'object' && value !== null) {
    const group = path.findLast((name) => !/^\d+$/.test(name));
    return mapEntries(value, path, (inner, innerPath, field) => {
      const isLogin = isInLogin || (field !== undefined && isLoginField(field));
      return (field !== undefined && isSecret(field, value, group, context)) ||
        (isLogin && isLoginText(inner))
        ? extractSecrets(inner, innerPath, context.secrets)
        : redactValue(inner, innerPath, isLogin, context);
    });
  }
  if (typeof value !== 'string' || isPublicKeyText(value)) return value;
  if (isSecretText(value)) return extractSecrets(value, path, context.secrets);
  const shown = redactUrlPasswords(value);
  if (shown !== value) context.secrets.push({ path, value });
  return shown;
}

/** Returns whether a field is a secret, based on its name, its group and the fields beside it. */
function isSecret(
  field: string,
  record: object,
  group: string | undefined,
  { rules, verdicts }: RedactionContext,
): boolean {
  const names = verdicts.get(group ?? '') ?? new Map<string, boolean>();
  if (names.size === 0) verdicts.set(group ?? '', names);
  let isNamed = names.get(field);
  if (isNamed === undefined) {
    isNamed =
      isSecretFieldName(field) || isSecretInGroup(field, group) || rules.isSecretField?.(field) === true;
    names.set(field, isNamed);
  }
  return isNamed ? !isNameInPair(field, record) : isNamedSecretValue(field, record);
}

/** Adds all text and numbers in a value to the secrets. Returns what remains: flags, public keys and empty values. */
function extractSecrets(value: unknown, path: readonly string[], secrets: ExtractedSecret[]): unknown {
  if (typeof value === 'boolean' || isEmpty(value) || isPublicKeyText(value)) return value;
  if (typeof value !== 'object' || value === null) {
    secrets.push({ path, value: String(value) });
    return undefined;
  }
  if (path.length > maxDepth) return '…';
  const left = mapEntries(value, path, (inner, innerPath) => extractSecrets(inner, innerPath, secrets));
  return isEmpty(left) ? undefined : left;
}

/** Moves values and fields that contain an already found secret to the secrets. */
function redactMentions(
  value: unknown,
  path: readonly string[],
  secrets: ExtractedSecret[],
  containsFound: SecretMatcher,
): unknown {
  if (typeof value === 'object' && value !== null) {
    return mapEntries(value, path, (inner, innerPath, field) => {
      if (field === undefined || !containsFound(field))
        return redactMentions(inner, innerPath, secrets, containsFound);
      secrets.push({ path, value: isEmpty(inner) ? field : `${field}: ${JSON.stringify(inner)}` });
      return undefined;
    });
  }
  if (typeof value === 'boolean' || isEmpty(value) || !containsFound(String(value))) return value;
  secrets.push({ path, value: String(value) });
  return undefined;
}

/**
 * Returns a copy of an object or list with mapped values, without those that become undefined. For list
 * items, which count from 1 in paths, `map` gets no field name.
 */
function mapEntries(
  value: object,
  path: readonly string[],
  map: (inner: unknown, innerPath: readonly string[], field: string | undefined) => unknown,
): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const shown = map(item, [...path, String(index + 1)], undefined);
      return shown === undefined ? [] : [shown];
    });
  }
  const shown = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const left = map(inner, [...path, field], field);
    return left === undefined ? [] : [[field, left]];
  });
  return Object.fromEntries(shown);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Wraps a list or a single value in a record. */
function toRecord(value: unknown): RedactedPayload['redacted'] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  return isEmpty(value) ? {} : { others: value };
}
