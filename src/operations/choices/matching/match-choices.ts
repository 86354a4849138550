import { createHash } from 'node:crypto';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { toComparableName, toLookAlikeKey } from './comparable-name.ts';
import { listVpsReferences, toCanonicalAddress } from './vps-reference.ts';

/**
 * Maximum length of an option's value
 * (docs.slack.dev/reference/block-kit/composition-objects/option-object; @slack/types still says 75).
 */
export const maxSelectValueChars = 150;

/**
 * Returns the option value for a choice: the choice's value, or a digest if the value is too long or
 * starts with `~`.
 */
export function toSelectValue(value: string): string {
  if (value.length <= maxSelectValueChars && !value.startsWith('~')) return value;
  return `~${createHash('sha256').update(value).digest('base64url')}`;
}

/** The level of a choice that doesn't have the name. */
const none = Number.POSITIVE_INFINITY;

export interface ChoiceMatch {
  /** All choices that the name can mean. */
  readonly choices: readonly Choice[];
  /** Whether the name is an ID or the team's alias, each of which belongs to only one choice. */
  readonly isUnique: boolean;
}

/** How many of the first groups from `listNameLevels` contain only unique names. */
const uniqueLevels = 2;

/**
 * Finds the choices that have this name. An ID takes precedence over the team's alias, the alias over a
 * full name, and a full name over a short one.
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

/** Finds the VPS that typed text can mean. Also accepts URLs, `root@web-01` and `VPS 10001`. */
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

/** Lists the choices whose names look like this one. */
export function listLookAlikes(name: string, choices: readonly Choice[]): readonly Choice[] {
  const key = toLookAlikeKey(name);
  return choices.filter((choice) => listChoiceNames(choice).some((one) => toLookAlikeKey(one) === key));
}

/** Returns a choice's names in groups. Names in earlier groups take precedence over names in later ones. */
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
