import type { types } from '@slack/bolt';
import type { Argument, Arguments, Control } from '../../../operations/define/arguments/argument.ts';
import type { RawInput, RawRow, RawValue } from '../../../operations/define/arguments/raw-input.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import { button, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { escapeText } from '../../blocks/elements/text.ts';
import { inputBlock } from '../modal.ts';
import { toBlockId } from './block-id.ts';
import type { FormMetadata } from './form-metadata.ts';
import { buildInputElement, type TextDispatch } from './input-element.ts';

/** State shared by all fields of a form. */
export interface FormContext {
  readonly fields: Arguments;
  readonly metadata: FormMetadata;
  /** Labels of chosen values, by field path. */
  readonly choiceLabels: Readonly<Record<string, string>>;
  /** Arguments whose changes Slack must report, and when Slack reports typed text. */
  readonly dispatchedFields: ReadonlyMap<string, TextDispatch>;
}

/** Builds the blocks for an argument's field, filled with `value`. */
export function fieldBlocks(
  path: string,
  argument: Argument,
  value: RawValue | undefined,
  form: FormContext,
): types.KnownBlock[] {
  const { control } = argument;
  if (control.kind === 'rows')
    return rowsBlocks(path, argument, control, Array.isArray(value) ? value : [], form);
  const parent = findMissingParent(control, form);
  // An optional field stays hidden until its parent is chosen.
  if (parent) return argument.required ? [missingParentBlock(path, argument, parent)] : [];
  return [fieldBlock(path, argument, typeof value === 'object' ? undefined : value, form)];
}

function rowsBlocks(
  path: string,
  argument: Argument,
  control: Extract<Control, { kind: 'rows' }>,
  rowValues: readonly (string | RawRow)[],
  form: FormContext,
): types.KnownBlock[] {
  const rowIds = form.metadata.rows[path] ?? [];
  const { label } = argument;
  const rows = rowIds.flatMap((rowId, index): types.KnownBlock[] => {
    const rowPath = `${path}.${rowId}`;
    const word = rowValues[index];
    const row: RawInput = (typeof word === 'string' ? control.parseWord(word) : word) ?? {};
    return [
      { type: 'divider' },
      {
        type: 'section',
        block_id: rowPath,
        text: { type: 'mrkdwn', text: `*${label} ${index + 1}*` },
        ...(rowIds.length > control.min && {
          accessory: withSpokenLabel(
            button(actionIds.rowRemove, 'Remove', rowPath),
            `Remove ${label} ${index + 1}`,
          ),
        }),
      },
      ...Object.entries(control.fields).flatMap(([name, field]) =>
        fieldBlocks(`${rowPath}.${name}`, field, row[name], form),
      ),
    ];
  });
  return rowIds.length < control.max ? [...rows, addRowBlock(path, label)] : rows;
}

function addRowBlock(name: string, label: string): types.KnownBlock {
  return {
    type: 'actions',
    block_id: `${name}:add`,
    elements: [button(actionIds.rowAdd, `Add ${label}`, name)],
  };
}

/** Returns the argument that must be chosen before the control has choices. */
function findMissingParent(control: Control, { fields, metadata }: FormContext): Argument | undefined {
  const name = control.kind === 'remote' ? control.source.dependsOn : undefined;
  return name === undefined || metadata.parentValues[name] !== undefined ? undefined : fields[name];
}

function missingParentBlock(path: string, { label }: Argument, parent: Argument): types.KnownBlock {
  const block = mrkdwn(
    `*${escapeText(label)}*\nChoose the ${escapeText(toMidSentence(parent.label))} first.`,
  );
  return { ...block, block_id: `${path}:waiting` };
}

function fieldBlock(
  path: string,
  argument: Argument,
  currentValue: string | boolean | undefined,
  { metadata, choiceLabels, dispatchedFields }: FormContext,
): types.InputBlock {
  const { control, label, required, initial } = argument;
  const value = currentValue ?? initial;
  const dispatch = dispatchedFields.get(path);
  const block = inputBlock({
    blockId: toBlockId(path, control, metadata),
    isOptional: !required,
    label,
    hint: argument.fieldHint ?? argument.hint,
    element: buildInputElement(argument, { value, label: choiceLabels[path] }, dispatch),
  });
  return dispatch ? { ...block, dispatch_action: true } : block;
}

/** Converts a label for the middle of a sentence: `Reading` to `reading`, but `VPS` stays. */
function toMidSentence(label: string): string {
  return label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}
