import { isVpsNamePattern, splitList, vpsListSchema, vpsWordSchema } from '../../auth/vps-pattern.ts';
import type { VpsAliases } from '../../hosting/payloads/vps.ts';
import { toComparableName } from '../../operations/choices/matching/comparable-name.ts';
import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';

/** The names by which a selection can match a VPS. */
export interface SelectableVps {
  readonly name: string;
  readonly aliases?: VpsAliases | undefined;
}

/**
 * VPS names and patterns, separated by spaces or commas. Becomes `*` if one of them is `*`. Don't use it
 * for rights, because a selection also matches the names that the service shows.
 */
export const vpsSelectionSchema = vpsListSchema(vpsWordSchema);

/**
 * Adds the team's aliases (`ownAliases`, by VPS name). They take precedence: if the service uses the same
 * alias for another VPS, that VPS loses the alias.
 */
export function withOwnAliases<Vps extends SelectableVps>(
  fleet: readonly Vps[],
  ownAliases: ReadonlyMap<string, string>,
): readonly Vps[] {
  if (ownAliases.size === 0) return fleet;
  const taken = new Set([...ownAliases.values()].map(toComparableName));
  const isFree = (alias: string) => !taken.has(toComparableName(alias));
  return fleet.map((vps) => {
    const own = ownAliases.get(vps.name);
    const { full = [], short = [] } = vps.aliases ?? {};
    const aliases = {
      full: [...(own === undefined ? [] : [own]), ...full.filter(isFree)],
      short: short.filter(isFree),
    };
    return { ...vps, aliases };
  });
}

export function isVpsSelected(selection: string, vps: SelectableVps): boolean {
  return splitList(selection).some((word) => matchesWord(word, vps));
}

/** Returns the words of a selection that match no VPS. */
export function listUnmatchedWords(selection: string, fleet: readonly SelectableVps[]): readonly string[] {
  return splitList(selection).filter((word) => !fleet.some((vps) => matchesWord(word, vps)));
}

function matchesWord(word: string, { name, aliases }: SelectableVps): boolean {
  if (matchesPattern(word, name)) return true;
  if (isVpsNamePattern(word)) return false;
  const pattern = toComparableName(word);
  return [...(aliases?.full ?? []), ...(aliases?.short ?? [])].some((alias) =>
    matchesPattern(pattern, toComparableName(alias)),
  );
}

export const vpsPatternArgument = optionalArgument(
  {
    label: 'VPS',
    example: 'web-*,VPS-10001',
    valueName: 'patterns',
    hint: 'Names or patterns with *, separated by commas. Default: all.',
  },
  vpsSelectionSchema,
);
