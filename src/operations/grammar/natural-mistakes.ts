import type { Argument } from '../define/arguments/argument.ts';
import { isVpsControl } from '../define/arguments/input.ts';
import type { RawInput } from '../define/arguments/raw-input.ts';
import type { Operation } from '../define/operation.ts';

/** Words that people type around a name: "the web-01 server please". */
const fillerWords = new Set([
  'a',
  'an',
  'and',
  'can',
  'could',
  'for',
  'machine',
  'me',
  'my',
  'now',
  'of',
  'on',
  'our',
  'please',
  'pls',
  'server',
  'servers',
  'the',
  'us',
  'vm',
  'vps',
  'you',
]);

/** Maximum number of suggestions. More buttons don't fit well on a phone. */
const maxSuggestions = 4;

/** Removes filler words and returns the words that can be names. */
export function removeFillerWords(words: readonly string[]): readonly string[] {
  return words
    .map((word) => word.replace(/,+$/, ''))
    .filter((word) => word !== '' && !fillerWords.has(word.toLowerCase()));
}

/**
 * Fills in the name if a sentence contains only one, such as "the web-01 server please". Doesn't guess for
 * commands on Rackhand's own data, because those run without a confirmation.
 */
export function takeOnlyName(
  { kind }: Operation,
  places: readonly (readonly [string, Argument])[],
  words: readonly string[],
  raw: RawInput,
): RawInput | undefined {
  const [place, ...others] = places;
  const [name, ...otherNames] = removeFillerWords(words);
  const isName = name !== undefined && otherNames.length === 0;
  if (!place || others.length > 0 || !isVpsControl(place[1].control) || kind === 'local' || !isName)
    return undefined;
  return { ...raw, [place[0]]: name };
}

/** A corrected input that a button offers. */
export interface CorrectedInput {
  readonly label: string;
  readonly raw: RawInput;
}

interface TooManyWords {
  readonly message: string;
  readonly corrections: readonly CorrectedInput[];
}

/**
 * Explains that only one VPS name fits where several words were typed, such as "the web-01 server please"
 * or the names of two VPS. Returns undefined if words other than VPS names fit there too.
 */
export function explainTooManyNames(
  operation: Operation,
  places: readonly (readonly [string, Argument])[],
  words: readonly string[],
  raw: RawInput,
): TooManyWords | undefined {
  const [place, ...others] = places;
  if (!place || others.length > 0 || !isVpsControl(place[1].control)) return undefined;
  const names = removeFillerWords(words);
  const verb = operation.kind === 'read' ? 'Use' : operation.button;
  const corrections = [...new Set(names)]
    .slice(0, maxSuggestions)
    .map((name) => ({ label: `${verb} ${name}`, raw: { ...raw, [place[0]]: name } }));
  const message =
    corrections.length === 1
      ? `Type only the name of the VPS: ${operation.name} ${names[0]}.`
      : `"${operation.name}" takes one VPS at a time.`;
  return { message, corrections };
}
