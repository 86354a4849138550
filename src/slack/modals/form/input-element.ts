import type { types } from '@slack/bolt';
import { maxSelectValueChars, toSelectValue } from '../../../operations/choices/matching/match-choices.ts';
import {
  formatUnlistedOption,
  toUnlistedSelectValue,
} from '../../../operations/choices/matching/unlisted-choice.ts';
import type { Argument, Control } from '../../../operations/define/arguments/argument.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { plainText, truncate } from '../../blocks/elements/text.ts';

export const fieldActionIds = new RegExp(`^(${actionIds.remoteSelect}|${actionIds.value})$`);

const switchOnValue = 'on';

/**
 * Maximum length of an initial value, from
 * docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element.
 */
const maxInitialTextChars = 3_000;

/** Matches the digest that `toSelectValue` returns for a value that is too long. */
const digest = /^~[\w-]{43}$/;

export interface InitialValue {
  readonly value: string | boolean | undefined;
  readonly label?: string | undefined;
}

/** When Slack reports a field's text: on Enter, or also while someone is typing. */
export type TextDispatch = 'onEnter' | 'whileTyping';

function toDispatchConfig(dispatch: TextDispatch | undefined): types.Dispatchable {
  if (dispatch === undefined) return {};
  const triggers: types.DispatchActionConfig = { trigger_actions_on: ['on_enter_pressed'] };
  if (dispatch === 'whileTyping') triggers.trigger_actions_on?.push('on_character_entered');
  return { dispatch_action_config: triggers };
}

export function buildInputElement(
  argument: Argument,
  { value, label }: InitialValue,
  dispatch?: TextDispatch,
): types.InputBlock['element'] {
  const { control, example, schema } = argument;
  const text = typeof value === 'string' ? value : undefined;
  const parsed = schema.safeParse(text);
  const isAccepted = text !== undefined && parsed.success;
  // An invalid number or selection can't be an initial value, so the placeholder shows it.
  const hint = !text?.trim() || isAccepted ? undefined : `You typed ${text}`;
  const placeholder = plainText(hint ?? formatExample(example), limits.placeholderChars);
  switch (control.kind) {
    case 'remote':
      return {
        type: 'external_select',
        action_id: actionIds.remoteSelect,
        min_query_length: 0,
        placeholder: plainText(hint ?? `Choose ${control.source.noun}`, limits.placeholderChars),
        ...toInitialOption(parsed.data, label),
      };
    case 'channel':
      return {
        type: 'conversations_select',
        action_id: actionIds.value,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
        ...(isAccepted && parsed.data ? { initial_conversation: String(parsed.data) } : {}),
      };
    case 'integer':
      return {
        type: 'number_input',
        action_id: actionIds.value,
        is_decimal_allowed: false,
        min_value: String(control.min),
        max_value: String(control.max),
        placeholder,
        ...(isAccepted && { initial_value: text }),
        ...toDispatchConfig(dispatch),
      };
    case 'choice':
      return choiceElement(control, text);
    case 'switch': {
      const on = { text: plainText('Yes', limits.optionChars), value: switchOnValue };
      return {
        type: 'checkboxes',
        action_id: actionIds.value,
        options: [on],
        ...(value === true && { initial_options: [on] }),
      };
    }
    default:
      return {
        ...textElement(placeholder, text),
        ...(control.kind === 'text' && control.isMultiline && { multiline: true }),
        ...toDispatchConfig(dispatch),
      };
  }
}

/** Removes an example's quotes. A command needs quotes around values with spaces, but a field doesn't. */
function formatExample(example: string): string {
  return `For example ${example.replace(/^"(.*)"$/, '$1')}`;
}

function textElement(placeholder: types.PlainTextElement, text: string | undefined): types.PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: actionIds.value,
    placeholder,
    ...(text && { initial_value: truncate(text, maxInitialTextChars) }),
  };
}

function choiceElement(
  { options: offered, labels = {} }: Extract<Control, { kind: 'choice' }>,
  text: string | undefined,
): types.StaticSelect {
  const isShort = text !== undefined && text !== '' && text.length <= maxSelectValueChars;
  const options = [...new Set([...offered, ...(isShort ? [text] : [])])].map((value) =>
    option((Object.hasOwn(labels, value) && labels[value]) || value, value),
  );
  const initial_option = options.find(({ value }) => value === text);
  return {
    type: 'static_select',
    action_id: actionIds.value,
    options,
    ...(initial_option && { initial_option }),
  };
}

/**
 * Returns the initially selected option as a property. Returns no property for an empty value, or for a digest whose
 * label is unknown.
 */
function toInitialOption(
  value: unknown,
  label: string | undefined,
): Pick<types.ExternalSelect, 'initial_option'> {
  if (typeof value !== 'string') return {};
  if (value === '') return {};
  if (digest.test(value)) return label === undefined ? {} : { initial_option: option(label, value) };
  const isUnlisted = label === formatUnlistedOption(value);
  return {
    initial_option: option(label ?? value, isUnlisted ? toUnlistedSelectValue(value) : toSelectValue(value)),
  };
}

function option(text: string, value: string): types.PlainTextOption {
  return { text: plainText(text, limits.optionChars), value };
}
