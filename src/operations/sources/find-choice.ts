import { createHash } from 'node:crypto';
import { closest, distance } from 'fastest-levenshtein';
import { ifPermitted } from '../if-permitted.ts';
import type { Read } from '../operation.ts';
import { type Choice, choicesAgeMs, type Source, type SourceReading } from './source.ts';

/** Longest value that a select can carry; from docs.slack.dev/reference/block-kit/composition-objects/option-object. */
const mostCarriedChars = 75;

/** Writes what a select carries for a choice: its value, or a digest of one that is too long. */
export function carriedValue(value: string): string {
  if (value.length <= mostCarriedChars && !value.startsWith('~')) return value;
  return `~${createHash('sha256').update(value).digest('base64url')}`;
}

export type Found =
  | { readonly kind: 'known'; readonly choice: Choice }
  | { readonly kind: 'unknown' }
  /** The list cannot tell: it may not be read, or may have more than it shows. */
  | { readonly kind: 'unsure' };

/** Finds what a person means by a name: by its value, what a select carried for it, or what people know it by. */
export async function findChoice(
  source: Source,
  name: string,
  given: Readonly<Record<string, unknown>>,
  read: Read,
  teamId?: string,
): Promise<Found> {
  let isComplete = false;
  for (const maxAgeMs of [choicesAgeMs, 0]) {
    const reading = await loadPermitted(source, given, maxAgeMs, read, teamId);
    if (!reading) return { kind: 'unsure' };
    const choice = choiceCalled(name, reading.choices);
    if (choice) return { kind: 'known', choice };
    isComplete = reading.isComplete;
  }
  return { kind: isComplete ? 'unknown' : 'unsure' };
}

/** Finds the choice whose name is nearest to what was written, among those that may be offered; nothing where none is near. */
export async function findClosest(
  source: Source,
  written: string,
  given: Readonly<Record<string, unknown>>,
  read: Read,
  mayOffer: (choice: Choice) => boolean,
  teamId?: string,
): Promise<Choice | undefined> {
  const reading = await loadPermitted(source, given, choicesAgeMs, read, teamId);
  const offered = reading?.choices.filter(mayOffer) ?? [];
  if (offered.length === 0) return undefined;
  const wanted = written.toUpperCase();
  const called = new Map(
    offered.flatMap((choice) =>
      [choice.value, choice.text, ...(choice.aliases ?? [])].map((name) => [name.toUpperCase(), choice]),
    ),
  );
  const nearest = closest(wanted, [...called.keys()]);
  const isNear = distance(wanted, nearest) * 2 <= Math.max(wanted.length, nearest.length);
  return isNear || source.isAlwaysSuggested ? called.get(nearest) : undefined;
}

function choiceCalled(name: string, choices: readonly Choice[]): Choice | undefined {
  const exact = choices.find(({ value }) => value === name || carriedValue(value) === name);
  if (exact) return exact;
  const called = choices.filter(({ text, aliases = [] }) =>
    [text, ...aliases].some((alias) => alias.toLowerCase() === name.toLowerCase()),
  );
  return called.length === 1 ? called[0] : undefined;
}

async function loadPermitted(
  source: Source,
  given: Readonly<Record<string, unknown>>,
  maxAgeMs: number,
  read: Read,
  teamId: string | undefined,
): Promise<SourceReading | undefined> {
  const reading = await ifPermitted(() => source.load(read, given, maxAgeMs, teamId));
  return typeof reading === 'string' ? undefined : reading;
}
