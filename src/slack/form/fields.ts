import type { types } from '@slack/bolt';
import type { Argument, Control } from '../../operations/argument.ts';
import type { RawInput, RawRow, RawValue } from '../../operations/outcome.ts';
import { actionIds, button } from '../actions.ts';
import { limits } from '../render/limits.ts';
import { clip, plain } from '../render/text.ts';

/** Id of the element in every input block that is not a select of VPS. */
const valueAction = 'value';

/** The only option of a switch. */
const switchedOn = 'on';

/** Writes the blocks of an argument, filled with what was given. `rowIds` are the ids of its rows, if it has rows. */
export function fieldBlocks(
  name: string,
  argument: Argument,
  given: RawValue | undefined,
  rowIds: readonly string[],
): types.KnownBlock[] {
  const { control } = argument;
  if (control.kind !== 'rows')
    return [inputBlock(name, argument, typeof given === 'object' ? undefined : given)];
  const rows = Array.isArray(given) ? given : [];
  return [
    ...rowIds.flatMap((rowId, index) =>
      rowBlocks(`${name}.${rowId}`, argument, control, rows[index], { index, count: rowIds.length }),
    ),
    ...(rowIds.length < control.most ? [addRow(name, argument)] : []),
  ];
}

function rowBlocks(
  path: string,
  { label }: Argument,
  { fields, fromWord }: Extract<Control, { kind: 'rows' }>,
  given: string | RawRow | undefined,
  { index, count }: { index: number; count: number },
): types.KnownBlock[] {
  const row: RawInput = (typeof given === 'string' ? fromWord(given) : given) ?? {};
  const title: types.SectionBlock = {
    type: 'section',
    block_id: path,
    text: { type: 'mrkdwn', text: `*${label} ${index + 1}*` },
    ...(count > 1 && { accessory: button(actionIds.rowRemove, 'Remove', path) }),
  };
  return [
    { type: 'divider' },
    title,
    ...Object.entries(fields).flatMap(([name, field]) =>
      fieldBlocks(`${path}.${name}`, field, row[name], []),
    ),
  ];
}

function addRow(name: string, { label }: Argument): types.KnownBlock {
  return {
    type: 'actions',
    block_id: `${name}:add`,
    elements: [button(actionIds.rowAdd, `Add ${label}`, name)],
  };
}

function inputBlock(name: string, argument: Argument, given: string | boolean | undefined): types.InputBlock {
  const { control, label, hint, required } = argument;
  return {
    type: 'input',
    block_id: name,
    optional: !required,
    label: plain(label, limits.labelChars),
    ...(hint && { hint: plain(hint, limits.hintChars) }),
    element: element(argument, control, given ?? argument.initial),
  };
}

function element(
  { example, schema }: Argument,
  control: Control,
  initial: string | boolean | undefined,
): types.InputBlock['element'] {
  const text = typeof initial === 'string' ? initial : undefined;
  const isAccepted = text !== undefined && schema.safeParse(text).success;
  // What a number or a select cannot show, because it is wrong, is not lost either.
  const hint = text === undefined || isAccepted ? undefined : `You typed ${text}`;
  const placeholder = plain(hint ?? `For example ${example}`, limits.placeholderChars);
  switch (control.kind) {
    case 'vps':
      return {
        type: 'external_select',
        action_id: actionIds.vps,
        min_query_length: 0,
        placeholder: plain(hint ?? 'Choose a VPS', limits.placeholderChars),
        ...chosenVps(schema.safeParse(text).data),
      };
    case 'integer':
      return {
        type: 'number_input',
        action_id: valueAction,
        is_decimal_allowed: false,
        min_value: String(control.min),
        max_value: String(control.max),
        placeholder,
        ...(isAccepted && { initial_value: text }),
      };
    case 'choice': {
      const options = [
        ...new Set([...control.options, ...(text && text.length <= limits.optionChars ? [text] : [])]),
      ];
      const initialOption =
        text !== undefined && options.includes(text) ? { initial_option: option(text) } : {};
      return {
        type: 'static_select',
        action_id: valueAction,
        options: options.map(option),
        ...initialOption,
      };
    }
    case 'switch': {
      const on = { text: plain('Yes', limits.optionChars), value: switchedOn };
      return {
        type: 'checkboxes',
        action_id: valueAction,
        options: [on],
        ...(initial === true && { initial_options: [on] }),
      };
    }
    default:
      return {
        type: 'plain_text_input',
        action_id: valueAction,
        placeholder,
        ...(text && { initial_value: clip(text, 3_000) }),
      };
  }
}

/** A name that is none is not chosen: the select shows what there is. */
function chosenVps(name: unknown): Pick<types.ExternalSelect, 'initial_option'> {
  return typeof name === 'string' ? { initial_option: option(name) } : {};
}

function option(text: string): types.PlainTextOption {
  return { text: plain(text, limits.optionChars), value: text };
}
