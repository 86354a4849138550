import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Argument } from '../../define/arguments/argument.ts';
import type { ChoiceList, ChoiceSource } from '../../define/arguments/choice-source.ts';
import { matchChoices, matchVps } from './match-choices.ts';
import { toVpsReference } from './vps-reference.ts';

/** Prefix that marks the option value of a name that isn't in the list. No other option value starts with it. */
const unlistedPrefix = '~?';

/** Maximum length of an unlisted name. A longer name wouldn't fit into the option's label. */
const maxNameChars = 60;

/** Returns an option's value for a name that isn't in the list. */
export function toUnlistedSelectValue(name: string): string {
  return `${unlistedPrefix}${name}`;
}

export function formatUnlistedOption(name: string): string {
  return `Use “${name}” anyway`;
}

/** Returns the name in an option's value, and whether the option was for a name that isn't in the list. */
export function parseSelectValue(value: string): { readonly text: string; readonly isUnlisted: boolean } {
  const isUnlisted = value.startsWith(unlistedPrefix);
  return { text: isUnlisted ? value.slice(unlistedPrefix.length) : value, isUnlisted };
}

/**
 * Returns the typed name if it isn't in the list but may exist at the service. For a VPS, only a VPS name
 * is returned, because the service knows no other names.
 */
export function findUnlistedName(
  typed: string,
  { schema }: Argument,
  source: ChoiceSource,
  { choices }: ChoiceList,
): string | undefined {
  if (source.isOwnData) return undefined;
  const name: unknown = schema.safeParse(typed).data;
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars) return undefined;
  if (source.listsVps) {
    const vps = toVpsReference(name);
    return isVpsName(vps) && matchVps(name, choices).choices.length === 0 ? vps : undefined;
  }
  return matchChoices(name, choices).choices.length === 0 ? name : undefined;
}
