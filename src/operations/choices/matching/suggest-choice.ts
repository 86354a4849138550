import { distance } from 'fastest-levenshtein';
import { vpsName } from '../../../hosting/endpoints/fields.ts';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { toLookAlikeKey } from './comparable-name.ts';
import { listChoiceNames } from './match-choices.ts';

/** Names are close if at most one character in this many differs. */
const charsPerTypo = 4;

const vpsPrefix = /^vps-/;

/**
 * Returns the choice with the closest name. Returns undefined if none is close, or if two are
 * equally close.
 */
export function suggestChoice(typed: string, choices: readonly Choice[]): Choice | undefined {
  const wanted = toLookAlikeKey(typed);
  const ranked = choices.map((choice) => ({ choice, typos: countTypos(wanted, choice) }));
  const least = ranked.reduce((best, { typos }) => Math.min(best, typos), Number.POSITIVE_INFINITY);
  const nearest = ranked.filter(({ typos }) => typos === least);
  return least === Number.POSITIVE_INFINITY || nearest.length > 1 ? undefined : nearest[0]?.choice;
}

/** Returns the edit distance to the closest name of a choice, or infinity if none is close. */
function countTypos(wanted: string, choice: Choice): number {
  const names = listChoiceNames(choice).map(toLookAlikeKey);
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
  // A quick check first: the distance is at least the difference in length.
  if (Math.abs(one.length - other.length) > allowed) return Number.POSITIVE_INFINITY;
  const typos = distance(one, other);
  return typos <= allowed ? typos : Number.POSITIVE_INFINITY;
}

function withoutCommonParts(one: string, other: string): readonly [string, string] {
  if (vpsPrefix.test(one) && vpsPrefix.test(other))
    return [one.replace(vpsPrefix, ''), other.replace(vpsPrefix, '')];
  const [first, second] = [one.indexOf('.'), other.indexOf('.')];
  const sharesDomain = first > 0 && second > 0 && one.slice(first) === other.slice(second);
  return sharesDomain ? [one.slice(0, first), other.slice(0, second)] : [one, other];
}
