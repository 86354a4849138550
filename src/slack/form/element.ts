import type { types } from '@slack/bolt';
import type { Argument, Control } from '../../operations/argument.ts';
import { carriedValue } from '../../operations/sources/find-choice.ts';
import { actionIds } from '../actions.ts';
import { limits } from '../render/limits.ts';
import { clip, plain } from '../render/text.ts';

/** Id of every element that is not a select of what the service has. */
const valueAction = 'value';

/** Ids of the elements of fields. */
export const fieldActions = new RegExp(`^(${actionIds.remote}|${valueAction})$`);

/** The only option of a switch. */
const switchedOn = 'on';

/** Longest text that an input can start with; from docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element. */
const mostTypedChars = 3_000;

/** What a select carries for a value that is too long, as `carriedValue` writes it. */
const digest = /^~[\w-]{43}$/;

/** What an element starts with. */
export interface Initial {
  readonly value: string | boolean | undefined;
  /** What people know the value by, where that is known. */
  readonly text?: string | undefined;
}

/** What is written is told of when it is done, and not letter by letter. */
const onEnter: types.Dispatchable = { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } };

/** Writes the element in which an argument is filled in; of one that is heard of, the app is told at once. */
export function elementOf(
  argument: Argument,
  { value, text }: Initial,
  isHeard = false,
): types.InputBlock['element'] {
  const { control, example, schema } = argument;
  const given = typeof value === 'string' ? value : undefined;
  const parsed = schema.safeParse(given);
  const isAccepted = given !== undefined && parsed.success;
  // What a number or a select cannot show, because it is wrong, is not lost either.
  const hint = given === undefined || isAccepted ? undefined : `You typed ${given}`;
  const placeholder = plain(hint ?? exampleOf(example), limits.placeholderChars);
  switch (control.kind) {
    case 'remote':
      return {
        type: 'external_select',
        action_id: actionIds.remote,
        min_query_length: 0,
        placeholder: plain(hint ?? `Choose ${control.source.noun}`, limits.placeholderChars),
        ...chosen(parsed.data, text),
      };
    case 'channel':
      return {
        type: 'conversations_select',
        action_id: valueAction,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
        ...(isAccepted && parsed.data ? { initial_conversation: String(parsed.data) } : {}),
      };
    case 'integer':
      return {
        type: 'number_input',
        action_id: valueAction,
        is_decimal_allowed: false,
        min_value: String(control.min),
        max_value: String(control.max),
        placeholder,
        ...(isAccepted && { initial_value: given }),
        ...(isHeard && onEnter),
      };
    case 'choice':
      return choiceElement(control, given);
    case 'switch': {
      const on = { text: plain('Yes', limits.optionChars), value: switchedOn };
      return {
        type: 'checkboxes',
        action_id: valueAction,
        options: [on],
        ...(value === true && { initial_options: [on] }),
      };
    }
    default:
      return {
        ...textElement(placeholder, given),
        ...(control.kind === 'text' && control.isLong && { multiline: true }),
        ...(isHeard && onEnter),
      };
  }
}

/** Writes an element in which the name of something is written that cannot be chosen. */
export function writtenElement({ example }: Argument, given: string | undefined): types.PlainTextInput {
  return textElement(plain(exampleOf(example), limits.placeholderChars), given);
}

/** A field needs no quotes around what has spaces. */
function exampleOf(example: string): string {
  return `For example ${example.replace(/^"(.*)"$/, '$1')}`;
}

function textElement(placeholder: types.PlainTextElement, given: string | undefined): types.PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: valueAction,
    placeholder,
    ...(given && { initial_value: clip(given, mostTypedChars) }),
  };
}

function choiceElement(
  { options: offered, texts = {} }: Extract<Control, { kind: 'choice' }>,
  given: string | undefined,
): types.StaticSelect {
  const isShort = given !== undefined && given !== '' && given.length <= limits.optionChars;
  const options = [...new Set([...offered, ...(isShort ? [given] : [])])].map((value) =>
    option((Object.hasOwn(texts, value) && texts[value]) || value, value),
  );
  const initial_option = options.find(({ value }) => value === given);
  return {
    type: 'static_select',
    action_id: valueAction,
    options,
    ...(initial_option && { initial_option }),
  };
}

/** A name that is none is not chosen, nor is one of which only the digest is known: the select shows what there is. */
function chosen(value: unknown, text: string | undefined): Pick<types.ExternalSelect, 'initial_option'> {
  if (typeof value !== 'string') return {};
  if (digest.test(value)) return text === undefined ? {} : { initial_option: option(text, value) };
  return { initial_option: option(text ?? value, carriedValue(value)) };
}

function option(text: string, value: string): types.PlainTextOption {
  return { text: plain(text, limits.optionChars), value };
}
