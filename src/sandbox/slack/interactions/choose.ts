import { isObject, type JsonObject, objectsIn } from '../json.ts';
import { kindOf } from '../world/stateful-elements.ts';
import type { Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';

interface Choice {
  readonly type: string;
  readonly element: JsonObject;
  /** Options that the app offered for an external menu. */
  readonly offered: readonly JsonObject[];
}

/**
 * Turns what somebody picks or types into what Slack keeps for the element: an option's value becomes the option, and
 * so on. Options may be given whole. Throws where the element has nothing of the kind.
 */
export function choose({ type, element, offered }: Choice, given: unknown, workspace: Workspace): unknown {
  if (given === undefined || given === null || given === '') return undefined;
  const pick = (one: unknown) => pickOne(type, element, offered, one, workspace);
  if (!kindOf(type)?.many) return pick(given);
  return (Array.isArray(given) ? given : [given]).map(pick);
}

function pickOne(
  type: string,
  element: JsonObject,
  offered: readonly JsonObject[],
  given: unknown,
  workspace: Workspace,
): unknown {
  switch (type) {
    case 'static_select':
    case 'multi_static_select':
    case 'radio_buttons':
    case 'checkboxes':
    case 'overflow':
      return optionWith(given, optionsOf(element));
    case 'external_select':
    case 'multi_external_select':
      return externalOption(given, [...optionsOf(element), ...offered]);
    case 'feedback_buttons':
      return optionWith(given, objectsIn([element.positive_button, element.negative_button]));
    case 'users_select':
    case 'multi_users_select':
      return known(given, workspace.people, 'person');
    case 'conversations_select':
    case 'multi_conversations_select':
    case 'channels_select':
    case 'multi_channels_select':
      return known(given, workspace.channels, 'channel');
    case 'datepicker':
      return written(given, /^\d{4}-\d{2}-\d{2}$/, 'a date such as 2030-12-31');
    case 'timepicker':
      return written(given, /^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 23:59');
    case 'datetimepicker':
      if (!Number.isInteger(given)) throw new Impossible('A moment is a whole number of seconds since 1970');
      return given;
    case 'rich_text_input':
      if (!isObject(given) || given.type !== 'rich_text')
        throw new Impossible('Rich text is a rich_text block');
      return given;
    case 'file_input':
      throw new Impossible('The sandbox has no file inputs');
    default:
      return written(given, /^/, 'text');
  }
}

/** Lists everything that an element offers by itself. */
function optionsOf(element: JsonObject): JsonObject[] {
  return [
    ...objectsIn(element.options),
    ...objectsIn(element.option_groups).flatMap((group) => objectsIn(group.options)),
    ...objectsIn(element.initial_options),
    ...objectsIn([element.initial_option]),
  ];
}

function optionWith(given: unknown, options: readonly JsonObject[]): JsonObject {
  const value = isObject(given) ? given.value : given;
  const option = options.find((candidate) => candidate.value === value);
  if (option) return option;
  const values = options.map((candidate) => candidate.value).join(', ') || 'none';
  throw new Impossible(`There is no option ${String(value)}; there are: ${values}`);
}

/** What an external menu offers only the app knows, so a script may choose without having looked at the menu first. */
function externalOption(given: unknown, offered: readonly JsonObject[]): JsonObject {
  const value = isObject(given) ? given.value : given;
  const text = { type: 'plain_text', text: written(value, /^/, 'the value of an option') };
  return (
    offered.find((candidate) => candidate.value === value) ?? (isObject(given) ? given : { text, value })
  );
}

function known(given: unknown, all: ReadonlyMap<string, unknown>, what: string): string {
  if (typeof given !== 'string' || !all.has(given))
    throw new Impossible(`There is no ${what} ${String(given)}`);
  return given;
}

function written(given: unknown, shape: RegExp, what: string): string {
  if (typeof given !== 'string' || !shape.test(given))
    throw new Impossible(`${String(given)} is not ${what}`);
  return given;
}
