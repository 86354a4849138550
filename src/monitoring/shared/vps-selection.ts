import { z } from 'zod';
import { allVps, listSchema, matchesPattern, splitList, vpsPatternSchema } from '../../auth/vps-pattern.ts';
import type { VpsAliases } from '../../hosting/profile/resources/vps/vps-names.ts';
import { toComparableName } from '../../operations/choices/matching/comparable-name.ts';

/** A VPS as a selection knows it. */
export interface SelectableVps {
  readonly name: string;
  readonly aliases?: VpsAliases | undefined;
}

/** Longer than any host name. */
const maxWordChars = 260;

const isVpsPattern = /^vps-/i;

/** A word that selects VPS: a VPS name or pattern, or another name or pattern such as `web-*`. */
const selectionWordSchema = z
  .string()
  .trim()
  .max(maxWordChars)
  .transform((word, context) => {
    if (!isVpsPattern.test(word) && /^[\p{L}\p{N}._*-]+$/u.test(word)) return word.replace(/\*+/g, '*');
    const parsed = vpsPatternSchema.safeParse(word);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'Not a name of a VPS' });
    return z.NEVER;
  }) as unknown as z.ZodType<string, string>;

/**
 * Names and patterns of VPS, separated by spaces or commas. Only for reading: unlike rights, a
 * selection follows the names that the service shows. Becomes `*` if one of them is `*`.
 */
export const vpsSelectionSchema = listSchema(selectionWordSchema, 'a VPS').transform((text) =>
  splitList(text).includes(allVps) ? allVps : text,
);

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
  if (isVpsPattern.test(word)) return false;
  const pattern = toComparableName(word);
  return [...(aliases?.full ?? []), ...(aliases?.short ?? [])].some((alias) =>
    matchesPattern(pattern, toComparableName(alias)),
  );
}
