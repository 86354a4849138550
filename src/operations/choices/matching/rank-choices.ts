import { isIP } from 'node:net';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { toComparableName } from './comparable-name.ts';
import { listChoiceNames } from './match-choices.ts';

/** Matches the beginning of an address: `10.1`, `2001:db8`, `::1`. Plain words and numbers don't match. */
const addressPattern = /^(?:\d{1,3}\.[\d.]*(?:\/\d*)?|[\da-f]*:[\da-f:.]*(?:\/\d*)?)$/i;

const separators = /[\s,·]+/;

/**
 * Returns the choices that match typed text, best first: names that start with the text, names that
 * contain it, and then states or details that contain it. Addresses in the details are searched only if
 * the text looks like an address.
 */
export function rankChoices(typed: string, choices: readonly Choice[]): readonly Choice[] {
  const text = toComparableName(typed);
  const isAddress = addressPattern.test(text);
  return choices
    .map((choice) => ({ choice, rank: rankOf(choice, text, isAddress) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ choice }) => choice);
}

function rankOf(choice: Choice, text: string, isAddress: boolean): number | undefined {
  const names = listChoiceNames(choice).map(toComparableName);
  if (names.some((name) => name.startsWith(text))) return 0;
  if (names.some((name) => name.includes(text))) return 1;
  const { state = '', details = choice.hint ?? '', addresses = [] } = choice;
  const words = toComparableName([state, details, ...addresses].join(' '))
    .split(separators)
    .filter((word) => isAddress || isIP(word.replace(/\/\d+$/, '')) === 0)
    .join(' ');
  return words.includes(text) ? 2 : undefined;
}
