import { isVpsNamePattern, splitList, vpsListSchema, vpsWordSchema } from '../../auth/vps-pattern.ts';
import type { VpsAliases } from '../../hosting/profile/resources/vps/vps-names.ts';
import { toComparableName } from '../../operations/choices/matching/comparable-name.ts';
import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';

/** A VPS as a selection knows it. */
export interface SelectableVps {
  readonly name: string;
  readonly aliases?: VpsAliases | undefined;
}

/**
 * Names and patterns of VPS, separated by spaces or commas. Only for reading: unlike rights, a
 * selection follows the names that the service shows. Becomes `*` if one of them is `*`.
 */
export const vpsSelectionSchema = vpsListSchema(vpsWordSchema);

/**
 * Adds the names that the team has given to its VPS (`ownAliases`, by VPS name). Such a name no
 * longer means another VPS that the service calls by it.
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

/** Returns whether a selection includes a VPS. */
export function isVpsSelected(selection: string, vps: SelectableVps): boolean {
  return splitList(selection).some((word) => matchesWord(word, vps));
}

/** Returns the words of a selection that include none of the VPS. */
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
