import type { types } from '@slack/bolt';
import type { Argument, Arguments, Control } from '../../operations/argument.ts';
import type { RawInput, RawRow, RawValue } from '../../operations/outcome.ts';
import { actionIds, button } from '../actions.ts';
import { mrkdwn } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { escapeText, plain } from '../render/text.ts';
import { blockIdOf } from './block-id.ts';
import { elementOf, writtenElement } from './element.ts';
import type { FormMetadata } from './metadata.ts';

/** What the fields of a form have in common. */
export interface Form {
  /** All arguments of the operation. */
  readonly fields: Arguments;
  readonly metadata: FormMetadata;
  /** What people know chosen values by, by the path of the field. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names of the arguments that the app hears of at once. */
  readonly heard: ReadonlySet<string>;
}

const listUnread = 'The API key may not read what there is: write the name.';

/** Writes the blocks of the field of an argument, filled with what was given. */
export function fieldBlocks(
  path: string,
  argument: Argument,
  given: RawValue | undefined,
  form: Form,
): types.KnownBlock[] {
  const { control } = argument;
  if (control.kind === 'rows')
    return rowsBlocks(path, argument, control, Array.isArray(given) ? given : [], form);
  const parent = parentToChoose(control, form);
  if (parent) return [waitingBlock(path, argument, parent)];
  return [inputBlock(path, argument, typeof given === 'object' ? undefined : given, form)];
}

function rowsBlocks(
  path: string,
  argument: Argument,
  control: Extract<Control, { kind: 'rows' }>,
  given: readonly (string | RawRow)[],
  form: Form,
): types.KnownBlock[] {
  const rowIds = form.metadata.rows[path] ?? [];
  const { label } = argument;
  const rows = rowIds.flatMap((rowId, index): types.KnownBlock[] => {
    const rowPath = `${path}.${rowId}`;
    const word = given[index];
    const row: RawInput = (typeof word === 'string' ? control.fromWord(word) : word) ?? {};
    return [
      { type: 'divider' },
      {
        type: 'section',
        block_id: rowPath,
        text: { type: 'mrkdwn', text: `*${label} ${index + 1}*` },
        ...(rowIds.length > 1 && { accessory: button(actionIds.rowRemove, 'Remove', rowPath) }),
      },
      ...Object.entries(control.fields).flatMap(([name, field]) =>
        fieldBlocks(`${rowPath}.${name}`, field, row[name], form),
      ),
    ];
  });
  return rowIds.length < control.most ? [...rows, addRow(path, label)] : rows;
}

function addRow(name: string, label: string): types.KnownBlock {
  return {
    type: 'actions',
    block_id: `${name}:add`,
    elements: [button(actionIds.rowAdd, `Add ${label}`, name)],
  };
}

/** Gives the argument that has to be chosen before there is anything to choose from. */
function parentToChoose(control: Control, { fields, metadata }: Form): Argument | undefined {
  const name = control.kind === 'remote' ? control.source.dependsOn : undefined;
  return name === undefined || metadata.parents[name] !== undefined ? undefined : fields[name];
}

function waitingBlock(path: string, { label }: Argument, parent: Argument): types.KnownBlock {
  const block = mrkdwn(`*${escapeText(label)}*\nChoose the ${escapeText(parent.label)} first.`);
  return { ...block, block_id: `${path}:waiting` };
}

function inputBlock(
  path: string,
  argument: Argument,
  given: string | boolean | undefined,
  { metadata, texts, heard }: Form,
): types.InputBlock {
  const { control, label, required, initial } = argument;
  const isWritten = metadata.written.includes(path);
  const hint = isWritten ? listUnread : (argument.fieldHint ?? argument.hint);
  const value = given ?? initial;
  const isHeard = heard.has(path) && !isWritten;
  return {
    type: 'input',
    block_id: blockIdOf(path, control, metadata),
    optional: !required,
    ...(isHeard && { dispatch_action: true }),
    label: plain(label, limits.labelChars),
    ...(hint && { hint: plain(hint, limits.hintChars) }),
    element: isWritten
      ? writtenElement(argument, typeof value === 'string' ? value : undefined)
      : elementOf(argument, { value, text: texts[path] }, isHeard),
  };
}
