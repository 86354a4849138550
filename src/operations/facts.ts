import { z } from 'zod';
import { looksSecret, withoutUrlPasswords } from '../hosting/secrets.ts';
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
  for (const fact of flatten(record, [], without)) {
    if (facts.length === mostFacts) return [...facts, { label: 'More', value: 'more fields are not shown' }];
    facts.push(fact);
  }
  return facts;
}

function* flatten(value: unknown, path: readonly string[], without: readonly string[] = []): Generator<Fact> {
  if (path.some(looksSecret)) yield factOf(path, hidden);
  else if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    if (value.length > 0) yield factOf(path, value.slice(0, mostListed).map(readableValue).join(', '));
  } else if (typeof value !== 'object' || value === null) {
    const isEmpty = value === null || value === undefined || value === '';
    if (path.length > 0 && !isEmpty) yield factOf(path, timeOf(value) ?? readableValue(value));
  } else if (path.length === mostDepth) yield factOf(path, 'more fields inside');
  else yield* flattenFields(value, path, without);
}

function* flattenFields(
  record: object,
  path: readonly string[],
  without: readonly string[],
): Generator<Fact> {
  for (const [field, inner] of Object.entries(record)) {
    if (without.includes(field)) continue;
    const place = [...path, Array.isArray(record) ? String(Number(field) + 1) : field];
    if (isNamedSecret(field, record)) yield factOf(place, hidden);
    else yield* flatten(inner, place);
  }
}

function factOf(path: readonly string[], value: Value): Fact {
  const text = typeof value === 'string' ? value.slice(0, mostValueChars) : value;
  return { label: readableName(path) || 'Value', value: text };
}

const isoTime = z.iso.datetime({ offset: true });

/** Reads a moment, to be shown in the reader's zone. */
function timeOf(value: unknown): Value | undefined {
  const parsed = isoTime.safeParse(value);
  return parsed.success ? { timeMs: Date.parse(parsed.data) } : undefined;
}

/** Tells whether a field is one half of a pair whose other half names a secret: `{ name: 'root_password', value: '…' }`. */
function isNamedSecret(field: string, record: object): boolean {
  return (
    /^(value|val|content|text)$/i.test(field) &&
    Object.entries(record).some(
      ([other, name]) => other !== field && typeof name === 'string' && looksSecret(name),
    )
  );
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
  'VPS IP IPv4 IPv6 CPU RAM OS ID SSH FTP URL MB GB TB VLAN DNS SSL HTTP HTTPS'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Writes a single value for people. */
export function readableValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return withoutUrlPasswords(String(value));
}
