import type { Core } from '../core.ts';
import { filterObjects, isObject, type JsonObject } from '../json.ts';
import { toFileObject } from '../web-api/objects/file-object.ts';
import type { Person } from '../workspace/seed.ts';
import { findStateField } from '../workspace/state-values.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { resolveUploadedFile } from './upload-file.ts';

interface ChosenElement {
  readonly type: string;
  readonly element: JsonObject;
  /** The options that the app has returned for an external menu. */
  readonly offered: readonly JsonObject[];
}

/**
 * Converts what a person chose or typed to the value that Slack stores for the element. For
 * example, an option's value becomes the whole option. Whole options are accepted too. Throws if
 * the element doesn't offer the choice.
 */
export function chooseValue(
  core: Core,
  workspace: Workspace,
  person: Person,
  { type, element, offered }: ChosenElement,
  given: unknown,
): unknown {
  if (given === undefined || given === null || given === '') return undefined;
  const pick = (one: unknown) => chooseOne(core, workspace, person, { type, element, offered }, one);
  if (!findStateField(type)?.isList) return pick(given);
  return (Array.isArray(given) ? given : [given]).map(pick);
}

function chooseOne(
  core: Core,
  workspace: Workspace,
  person: Person,
  { type, element, offered }: ChosenElement,
  given: unknown,
): unknown {
  switch (type) {
    case 'static_select':
    case 'multi_static_select':
    case 'radio_buttons':
    case 'checkboxes':
    case 'overflow':
      return resolveOption(given, listOptions(element));
    case 'external_select':
    case 'multi_external_select':
      return resolveExternalOption(given, [...listOptions(element), ...offered]);
    case 'feedback_buttons':
      return resolveOption(given, filterObjects([element.positive_button, element.negative_button]));
    case 'users_select':
    case 'multi_users_select':
      return resolveReference(given, workspace.people, createNameDirectory(workspace).userByName, 'person');
    case 'conversations_select':
    case 'multi_conversations_select':
    case 'channels_select':
    case 'multi_channels_select':
      return resolveReference(
        given,
        workspace.channels,
        createNameDirectory(workspace).channelByName,
        'channel',
      );
    case 'datepicker':
      return assertFormat(given, /^\d{4}-\d{2}-\d{2}$/, 'a date such as 2030-12-31');
    case 'timepicker':
      return assertFormat(given, /^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 23:59');
    case 'datetimepicker':
      if (!Number.isInteger(given))
        throw new InvalidActionError('A date and time must be a whole number of seconds since 1970');
      return given;
    case 'rich_text_input':
      if (!isObject(given) || given.type !== 'rich_text')
        throw new InvalidActionError('Rich text must be a rich_text block');
      return given;
    case 'file_input':
      return chooseFile(core, workspace, person, element, given);
    default:
      return assertFormat(given, /^/, 'text');
  }
}

/** Lists the options that the element itself contains, each once. */
function listOptions(element: JsonObject): JsonObject[] {
  const offered = [
    ...filterObjects(element.options),
    ...filterObjects(element.option_groups).flatMap((group) => filterObjects(group.options)),
  ];
  const initial = filterObjects([element.initial_option, ...filterObjects(element.initial_options)]);
  return [...offered, ...initial.filter(({ value }) => !offered.some((option) => option.value === value))];
}

function resolveOption(given: unknown, options: readonly JsonObject[]): JsonObject {
  const value = isObject(given) ? given.value : given;
  const option = options.find((candidate) => candidate.value === value) ?? findByText(options, value);
  if (option) return option;
  const values = options.map((candidate) => candidate.value).join(', ') || 'none';
  throw new InvalidActionError(`There is no option ${String(value)}; there are: ${values}`);
}

/** Returns the option that people see under this text, if there is exactly one. */
function findByText(options: readonly JsonObject[], shown: unknown): JsonObject | undefined {
  const matching = options.filter(({ text }) => isObject(text) && text.text === shown);
  return matching.length === 1 ? matching[0] : undefined;
}

/**
 * Returns the chosen option of an external menu. If the menu wasn't loaded, scripts can choose any
 * option, because only the app knows which options exist.
 */
function resolveExternalOption(given: unknown, offered: readonly JsonObject[]): JsonObject {
  const value = isObject(given) ? given.value : given;
  const text = { type: 'plain_text', text: assertFormat(value, /^/, 'the value of an option') };
  return (
    offered.find((candidate) => candidate.value === value) ?? (isObject(given) ? given : { text, value })
  );
}

/** Returns the ID of a person or channel, which can be given by name too, as people see it. */
function resolveReference(
  given: unknown,
  all: ReadonlyMap<string, unknown>,
  findByName: (name: string) => string | undefined,
  what: string,
): string {
  const reference = typeof given === 'string' ? given : '';
  const id = all.has(reference) ? reference : findByName(reference.replace(/^[@#]/, ''));
  if (id === undefined) throw new InvalidActionError(`There is no ${what} ${String(given)}`);
  return id;
}

/** Returns the object of a file that the person has uploaded, which can be given by its ID. */
function chooseFile(
  core: Core,
  workspace: Workspace,
  person: Person,
  { filetypes }: JsonObject,
  given: unknown,
): JsonObject {
  const id = assertFormat(isObject(given) ? given.id : given, /^F/, 'the ID of an uploaded file');
  const file = resolveUploadedFile(workspace, person, id);
  const extension = file.name.split('.').at(-1)?.toLowerCase();
  const accepted = [file.type?.filetype, extension];
  if (Array.isArray(filetypes) && !filetypes.some((type) => accepted.includes(type)))
    throw new InvalidActionError(`The field accepts only ${filetypes.join(', ')}, not ${file.name}`);
  return toFileObject(core, workspace, file);
}

function assertFormat(given: unknown, shape: RegExp, what: string): string {
  if (typeof given !== 'string' || !shape.test(given))
    throw new InvalidActionError(`${String(given)} is not ${what}`);
  return given;
}
