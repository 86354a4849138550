import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Argument } from '../../define/arguments/argument.ts';
import type { ChoiceList, ChoiceSource } from '../../define/arguments/choice-source.ts';
import { matchChoices, matchVps } from './match-choices.ts';
import { toVpsReference } from './vps-reference.ts';

/** Prefix of the option value for a name that isn't in the list. No other option value has it. */
const unlistedPrefix = '~?';

/** Maximum length of a name. Longer names don't fit into an option with the words around them. */
const maxNameChars = 60;

/** Returns an option's value for a name that isn't in the list. */
export function toUnlistedSelectValue(name: string): string {
  return `${unlistedPrefix}${name}`;
}

export function formatUnlistedOption(name: string): string {
  return `Use “${name}” anyway`;
}

/** Returns the name behind an option's value, and whether that name is missing from the list. */
export function parseSelectValue(value: string): { readonly text: string; readonly isUnlisted: boolean } {
  const isUnlisted = value.startsWith(unlistedPrefix);
  return { text: isUnlisted ? value.slice(unlistedPrefix.length) : value, isUnlisted };
}

/**
 * Returns the typed name if the list doesn't contain it but the service may know it. The service
 * knows a VPS only by its VPS name.
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
