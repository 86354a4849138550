import { isNamedSecret, looksSecret, tellsSecret, withoutUrlPasswords } from '../hosting/secrets.ts';
import { quantityIn } from './fact-value.ts';
import type { Fact, Value } from './outcome.ts';

/** Shown in the place of what may be a secret. */
const hidden = 'hidden';

const mostFacts = 40;
const mostDepth = 4;

/** Of a long list, and of a long text, the beginning is kept. */
const mostListed = 100;
const mostValueChars = 1_000;

/**
 * Turns a record of unknown shape into facts under readable names. What may be a secret is hidden; the record's own
 * fields named in `without` are left out.
 */
export function readFacts(
  record: unknown,
  { without = [] }: { readonly without?: readonly string[] } = {},
): readonly Fact[] {
  const facts: Fact[] = [];
  for (const fact of flatten(record, [], { without })) {
    if (facts.length === mostFacts) return [...facts, { label: 'More', value: 'more fields are not shown' }];
    facts.push(fact);
  }
  return facts;
}

interface Around {
  /** Fields that are left out of a record. */
  readonly without?: readonly string[];
  /** Names of the fields beside a value. */
  readonly beside?: readonly string[];
}

function* flatten(
  value: unknown,
  path: readonly string[],
  { without = [], beside = [] }: Around = {},
): Generator<Fact> {
  if (path.some(looksSecret)) yield factOf(path, hidden);
  else if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    if (value.length > 0) yield factOf(path, value.slice(0, mostListed).map(readableValue).join(', '));
  } else if (typeof value !== 'object' || value === null) {
    const isEmpty = value === null || value === undefined || value === '';
    if (path.length > 0 && !isEmpty) yield readFact(path, value, beside);
  } else if (path.length === mostDepth) yield factOf(path, 'more fields inside');
  else yield* flattenFields(value, path, without);
}

function* flattenFields(
  record: object,
  path: readonly string[],
  without: readonly string[],
): Generator<Fact> {
  const beside = Object.keys(record);
  for (const [field, inner] of Object.entries(record)) {
    if (without.includes(field)) continue;
    const place = [...path, Array.isArray(record) ? String(Number(field) + 1) : field];
    if (isNamedSecret(field, record)) yield factOf(place, hidden);
    else yield* flatten(inner, place, { beside });
  }
}

function factOf(path: readonly string[], value: Value): Fact {
  const text = typeof value === 'string' ? value.slice(0, mostValueChars) : value;
  return { label: readableName(path) || 'Value', value: text };
}

/**
 * Turns a single value into a fact: a quantity or a moment where the name of its field says so, or else its own words. Its name is told without
 * its unit then, unless that is the name of a field `beside` it.
 */
export function readFact(path: readonly string[], value: unknown, beside: readonly string[] = []): Fact {
  const quantity = quantityIn(path, value);
  if (!quantity) return factOf(path, readableValue(value));
  const name = beside.includes(quantity.field) ? path : [...path.slice(0, -1), quantity.field];
  return factOf(name, quantity.value);
}

/** Writes the name of a field, or of a field within fields, for people: `vps_name` as "Vps name" and `cpu.cores` as "Cpu cores"; known initials as they are written. */
export function readableName(path: readonly string[]): string {
  const words = path
    .join(' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .map((word) => written.get(word.toLowerCase()) ?? word.toLowerCase());
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Words that are written in a way of their own. */
const written = new Map(
  'VPS IP IPv4 IPv6 CPU RAM OS ID SSH FTP URL MB GB TB VLAN DNS SSL HTTP HTTPS Kbps Mbps Gbps'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Writes a single value for people. */
export function readableValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && tellsSecret(value)) return hidden;
  return withoutUrlPasswords(String(value));
}
