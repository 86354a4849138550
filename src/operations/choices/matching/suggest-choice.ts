import { distance } from 'fastest-levenshtein';
import { vpsName } from '../../../hosting/endpoints/fields.ts';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { toComparableName } from './comparable-name.ts';
import { listChoiceNames } from './match-choices.ts';
import { rankChoices } from './rank-choices.ts';

/** How many characters a name needs for each typo that is tolerated. */
const charsPerTypo = 4;

const vpsPrefix = /^vps-/;

/** Maximum number of suggestions. More buttons don't fit well on a phone. */
const maxSuggestions = 3;

/** Minimum length of text to look for inside names. Shorter text occurs in too many names. */
const minPartChars = 2;

/** Suggests choices for a name that matches none: the closest names or, if none is close, names that contain it. */
export function suggestChoices(typed: string, choices: readonly Choice[]): readonly Choice[] {
  const wanted = toComparableName(typed);
  const ranked = choices.map((choice) => ({ choice, typos: countTypos(wanted, choice) }));
  const least = ranked.reduce((best, { typos }) => Math.min(best, typos), Number.POSITIVE_INFINITY);
  const nearest =
    least === Number.POSITIVE_INFINITY
      ? listWithPart(wanted, choices)
      : ranked.filter(({ typos }) => typos === least).map(({ choice }) => choice);
  return nearest.slice(0, maxSuggestions);
}

function listWithPart(text: string, choices: readonly Choice[]): readonly Choice[] {
  return text.length < minPartChars
    ? []
    : rankChoices(text, choices).filter((choice) => isPartOfName(text, choice));
}

function isPartOfName(text: string, choice: Choice): boolean {
  return listChoiceNames(choice).some((name) => toComparableName(name).includes(text));
}

/** Returns the edit distance to the closest name of a choice, or infinity if no name is close. */
function countTypos(wanted: string, choice: Choice): number {
  const names = listChoiceNames(choice).map(toComparableName);
  const isVps = vpsName.safeParse(choice.value).success;
  const numbers = isVps ? [choice.value.toLowerCase().replace(vpsPrefix, '')] : [];
  return [...names, ...numbers].reduce(
    (least, name) => Math.min(least, countNameTypos(wanted, name)),
    Number.POSITIVE_INFINITY,
  );
}

/**
 * Counts the typos between two names. A common prefix or domain is ignored, because it would make
 * different names seem close.
 */
function countNameTypos(wanted: string, name: string): number {
  const [one, other] = withoutCommonParts(wanted, name);
  const allowed = Math.floor(Math.max(one.length, other.length) / charsPerTypo);
  // A quick check first: the edit distance is at least the difference in length.
  if (Math.abs(one.length - other.length) > allowed) return Number.POSITIVE_INFINITY;
  const typos = isSwapped(one, other) ? 1 : distance(one, other);
  return typos <= allowed ? typos : Number.POSITIVE_INFINITY;
}

/** Returns whether two names differ only by two swapped neighboring characters. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((char, index) => char !== other[index]);
  return at >= 0 && one.slice(0, at) + (one[at + 1] ?? '') + one[at] + one.slice(at + 2) === other;
}

function withoutCommonParts(one: string, other: string): readonly [string, string] {
  if (vpsPrefix.test(one) && vpsPrefix.test(other))
    return [one.replace(vpsPrefix, ''), other.replace(vpsPrefix, '')];
  const [first, second] = [one.indexOf('.'), other.indexOf('.')];
  const sharesDomain = first > 0 && second > 0 && one.slice(first) === other.slice(second);
  return sharesDomain ? [one.slice(0, first), other.slice(0, second)] : [one, other];
}
