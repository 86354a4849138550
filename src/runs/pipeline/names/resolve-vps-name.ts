import { RackhandError } from '../../../errors.ts';
import { formatList } from '../../../format-list.ts';
import { isVpsName, normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import { findChoice } from '../../../operations/choices/matching/find-choice.ts';
import { toVpsReference } from '../../../operations/choices/matching/vps-reference.ts';
import { vpsChoices } from '../../../operations/choices/sources/vps.ts';
import type { Choice } from '../../../operations/define/arguments/choice-source.ts';
import type { OperationContext } from '../../../operations/define/operation.ts';
import { createScope, findOwnAlias } from './resolve-input.ts';

const maxNamed = 5;

/**
 * Finds a VPS by name, for operations on Rackhand's own data whose argument can also be something else. Accepts a VPS
 * name that the service doesn't list, such as a deleted VPS's. Throws `input_invalid` for any other name that doesn't
 * match exactly one VPS. Treats a VPS that the actor can't view as if it didn't exist.
 */
export async function resolveVpsName(
  name: string,
  context: Pick<OperationContext, 'read' | 'workspace' | 'loadAccess'>,
): Promise<Pick<Choice, 'value' | 'text'>> {
  const typed = normalizeVpsName(name.trim());
  const vps = toVpsReference(typed);
  const scope = await createScope(context);
  const unlabelled = { value: vps, text: vps };
  if (isVpsName(typed) && !scope.isVisible(unlabelled)) return unlabelled;
  const found = await findChoice(vpsChoices, typed, {}, context.read, scope);
  if (found.kind === 'known') return found.choice;
  if (isVpsName(typed)) return unlabelled;
  if (found.kind === 'several') throw createAmbiguousError(name, found.choices);
  if (isVpsName(vps)) return unlabelled;
  const own = await findOwnAlias(name, context.workspace, scope);
  if (own) return own;
  const gap = found.kind === 'unsure' ? " Rackhand couldn't read the whole list of VPS." : '';
  throw new RackhandError('input_invalid', `${vpsChoices.formatNotFound(name, {})}${gap}`);
}

function createAmbiguousError(name: string, choices: readonly Choice[]): RackhandError {
  const texts = choices.slice(0, maxNamed).map(({ text }) => text);
  const others = choices.length - texts.length;
  const all = formatList([...texts, ...(others > 0 ? [`${others} more`] : [])], 'and');
  const message = `"${name}" could mean more than one VPS: ${all}. Type the VPS name of the one you mean.`;
  return new RackhandError('input_invalid', message);
}
