import type { Choice } from '../../define/arguments/choice-source.ts';
import { toComparableName } from './comparable-name.ts';
import { matchesPattern } from './matches-pattern.ts';

/** Returns the VPS whose names match a pattern such as `web-*`. */
export function matchPattern(pattern: string, choices: readonly Choice[]): readonly Choice[] {
  const wanted = toComparableName(pattern);
  return choices.filter(({ value, ownAlias, aliases = [], shortAliases = [] }) =>
    [value, ...(ownAlias === undefined ? [] : [ownAlias]), ...aliases, ...shortAliases].some((name) =>
      matchesPattern(wanted, toComparableName(name)),
    ),
  );
}
