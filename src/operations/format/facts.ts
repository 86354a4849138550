import { containsSecret, isPublicKeyText, redactUrlPasswords } from '../../hosting/secret-detection.ts';
import { withoutSecrets } from '../../hosting/secret-redaction.ts';
import type { Fact, Value } from '../define/outcome.ts';
import { hiddenText } from './hide-secrets.ts';
import { parseFieldQuantity } from './parse-field-quantity.ts';

const maxFacts = 40;
const maxDepth = 4;

/** Only the beginning of longer lists and texts is shown. */
const maxListItems = 100;
const maxValueChars = 1_000;

/**
 * Formats a record of unknown shape as facts with readable labels. Possible secrets are left out.
 * Fields in `omit` are left out.
 */
export function formatFacts(
  record: unknown,
  { omit = [] }: { readonly omit?: readonly string[] } = {},
): readonly Fact[] {
  const facts: Fact[] = [];
  for (const fact of flatten(withoutSecrets(record), [], { omit })) {
    if (facts.length === maxFacts) return [...facts, { label: 'More', value: 'more fields are not shown' }];
    facts.push(fact);
  }
  return facts;
}

interface FlattenOptions {
  /** Fields to leave out. */
  readonly omit?: readonly string[];
  /** Names of the fields in the same record. */
  readonly siblings?: readonly string[];
}

function* flatten(
  value: unknown,
  path: readonly string[],
  { omit = [], siblings = [] }: FlattenOptions = {},
): Generator<Fact> {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    if (value.length > 0)
      yield createFact(path, value.slice(0, maxListItems).map(formatFieldValue).join(', '));
  } else if (typeof value !== 'object' || value === null) {
    const isEmpty = value === null || value === undefined || value === '';
    if (path.length > 0 && !isEmpty) yield formatFact(path, value, siblings);
  } else if (path.length === maxDepth) yield createFact(path, 'more fields inside');
  else yield* flattenFields(value, path, omit);
}

function* flattenFields(record: object, path: readonly string[], omit: readonly string[]): Generator<Fact> {
  const beside = Object.keys(record);
  for (const [field, inner] of Object.entries(record)) {
    if (omit.includes(field)) continue;
    const place = [...path, Array.isArray(record) ? String(Number(field) + 1) : field];
    yield* flatten(inner, place, { siblings: beside });
  }
}

function createFact(path: readonly string[], value: Value): Fact {
  const text = typeof value === 'string' ? value.slice(0, maxValueChars) : value;
  return { label: formatFieldName(path) || 'Value', value: text };
}

/**
 * Formats one value as a fact: a quantity or time if the field's name implies one, or else plain
 * text. The label doesn't repeat the unit, unless `siblings` contains a field with the shorter
 * name.
 */
export function formatFact(path: readonly string[], value: unknown, siblings: readonly string[] = []): Fact {
  const quantity = parseFieldQuantity(path, value);
  if (!quantity) return createFact(path, formatFieldValue(value));
  const name = siblings.includes(quantity.field) ? path : [...path.slice(0, -1), quantity.field];
  return createFact(name, quantity.value);
}

/**
 * Formats a field path as a label: `vps_name` as "Vps name", `cpu.cores` as "Cpu cores". Known
 * acronyms keep their spelling.
 */
export function formatFieldName(path: readonly string[]): string {
  const words = path
    .join(' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .map((word) => wordSpellings.get(word.toLowerCase()) ?? word.toLowerCase());
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Acronyms and names that keep their own spelling. */
const wordSpellings = new Map(
  'VPS IP IPv4 IPv6 CPU RAM OS ID SSH FTP URL MB GB TB VLAN DNS SSL HTTP HTTPS Kbps Mbps Gbps'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Formats one value as text. */
export function formatFieldValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && containsSecret(value) && !isPublicKeyText(value)) return hiddenText;
  return redactUrlPasswords(String(value));
}
