import { createHash } from 'node:crypto';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { toComparableName, toLookAlikeKey } from './comparable-name.ts';
import { listVpsReferences, toCanonicalAddress } from './vps-reference.ts';

/**
 * Maximum length of an option's value
 * (docs.slack.dev/reference/block-kit/composition-objects/option-object; @slack/types still says 75).
 */
export const maxSelectValueChars = 150;

/** Returns an option's value for a choice: the choice's value or, if that is too long, a digest of it. */
export function toSelectValue(value: string): string {
  if (value.length <= maxSelectValueChars && !value.startsWith('~')) return value;
  return `~${createHash('sha256').update(value).digest('base64url')}`;
}

/** The level of a choice that doesn't have the name. */
const none = Number.POSITIVE_INFINITY;

export interface ChoiceMatch {
  /** All choices that the name can mean. */
  readonly choices: readonly Choice[];
  /** Whether the name is an ID or the team's own alias, so that no other choice can have it. */
  readonly isUnique: boolean;
}

/** How many of the groups that `listNameLevels` returns contain only unique names. */
const uniqueLevels = 2;

/**
 * Finds the choices that have a name. An ID wins over the team's alias, which wins over a full
 * name, which wins over a short name.
 */
export function matchChoices(name: string, choices: readonly Choice[]): ChoiceMatch {
  const exact = choices.find(({ value }) => value === name || toSelectValue(value) === name);
  if (exact) return { choices: [exact], isUnique: true };
  const comparable = toComparableName(name);
  if (comparable === '') return { choices: [], isUnique: false };
  const ranked = choices.map((choice) => ({
    choice,
    level: findLevel(listNameLevels(choice), (one) => toComparableName(one) === comparable),
  }));
  const best = ranked.reduce((least, { level }) => Math.min(least, level), none);
  const named = best === none ? [] : ranked.filter(({ level }) => level === best).map(({ choice }) => choice);
  if (best < uniqueLevels) return { choices: named, isUnique: true };
  return { choices: [...new Set([...named, ...listByAddress(name, choices)])], isUnique: false };
}

/** Finds the VPS that a typed text can mean, both as it is and as a URL, an address or `VPS 10001`. */
export function matchVps(typed: string, choices: readonly Choice[]): ChoiceMatch {
  const match = matchChoices(typed, choices);
  if (match.choices.some(({ value }) => value === typed)) return match;
  const found = new Set(listVpsReferences(typed).flatMap((name) => matchChoices(name, choices).choices));
  return { choices: [...found], isUnique: match.isUnique && found.size === 1 };
}

function listByAddress(name: string, choices: readonly Choice[]): readonly Choice[] {
  const address = toCanonicalAddress(name);
  return address === undefined ? [] : choices.filter(({ addresses = [] }) => addresses.includes(address));
}

/** Lists the choices with a name that a reader can mistake for this one. */
export function listLookAlikes(name: string, choices: readonly Choice[]): readonly Choice[] {
  const key = toLookAlikeKey(name);
  return choices.filter((choice) => listChoiceNames(choice).some((one) => toLookAlikeKey(one) === key));
}

/**
 * Returns the names of a choice in groups. Names in earlier groups win over those in later ones.
 */
function listNameLevels({
  value,
  text,
  ownAlias,
  aliases = [],
  shortAliases = [],
}: Choice): readonly (readonly string[])[] {
  return [[value], ownAlias === undefined ? [] : [ownAlias], [text, ...aliases], shortAliases];
}

export function listChoiceNames(choice: Choice): readonly string[] {
  return listNameLevels(choice).flat();
}

function findLevel(levels: readonly (readonly string[])[], fits: (name: string) => boolean): number {
  const level = levels.findIndex((names) => names.some(fits));
  return level < 0 ? none : level;
}
