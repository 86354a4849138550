import type { ViewStateValue } from '@slack/bolt';
import type { Argument, Arguments } from '../../operations/argument.ts';
import type { FieldProblem } from '../../operations/input.ts';
import type { RawInput, RawRow, RawValue } from '../../operations/outcome.ts';
import { blockIdOf, pathOf } from './block-id.ts';
import type { Form } from './fields.ts';
import type { FormMetadata } from './metadata.ts';

/** `state.values` of a view: block id, action id, value. */
export type ViewValues = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>;

/** Reads what was filled into a form; what was left empty is left out, but for a form that was filled with what is kept. */
export function readForm(
  fields: Arguments,
  state: ViewValues,
  form: Pick<FormMetadata, 'rows' | 'revision' | 'filledBy'>,
): RawInput {
  const { rows, filledBy } = form;
  const valueAt = (path: string, { control }: Argument) => {
    const block = state[blockIdOf(path, control, form)];
    // Where a form was filled with what is kept, to empty a field is to take that back.
    const empty = block && filledBy !== undefined ? '' : undefined;
    return readValue(block) ?? empty;
  };

  function readRow(rowFields: Arguments, rowPath: string): RawRow {
    return withoutEmpty(
      Object.entries(rowFields).map(([name, field]) => [name, valueAt(`${rowPath}.${name}`, field)]),
    );
  }

  return withoutEmpty(
    Object.entries(fields).map(([name, argument]): [string, RawValue | undefined] => {
      const { control } = argument;
      if (control.kind !== 'rows') return [name, valueAt(name, argument)];
      return [name, (rows[name] ?? []).map((rowId) => readRow(control.fields, `${name}.${rowId}`))];
    }),
  );
}

function withoutEmpty<T>(entries: readonly (readonly [string, T | undefined])[]): Record<string, T> {
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function readValue(block: ViewValues[string] | undefined): string | boolean | undefined {
  const [element] = Object.values(block ?? {});
  if (!element) return undefined;
  if (element.type === 'checkboxes') return (element.selected_options ?? []).length > 0;
  const text = element.selected_option?.value ?? element.selected_conversation ?? element.value ?? undefined;
  return text === '' ? undefined : text;
}

/** Reads what people know the chosen values by, as the selects showed them. */
export function readTexts(state: ViewValues): Form['texts'] {
  const entries = Object.entries(state).flatMap(([blockId, block]) => {
    const text = Object.values(block)[0]?.selected_option?.text.text;
    return text === undefined ? [] : [[pathOf(blockId), text]];
  });
  return Object.fromEntries(entries);
}

/**
 * Puts problems beside their fields: by block id, with the first problem of each. One whose field is not there stands at the nearest that is, since
 * Slack takes errors only for the input blocks of the view, `blockIds`.
 */
export function errorsByBlock(
  problems: readonly FieldProblem[],
  rows: FormMetadata['rows'],
  blockIds: readonly string[],
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of problems) {
    const [name = '', index, ...rest] = path.split('.');
    const rowId = index === undefined ? undefined : rows[name]?.[Number(index)];
    const field = rowId === undefined ? path : [name, rowId, ...rest].join('.');
    const blockId =
      blockIds.find((id) => pathOf(id) === field) ??
      blockIds.find((id) => id.startsWith(`${name}.`)) ??
      blockIds[0];
    if (blockId !== undefined) errors[blockId] ??= message;
  }
  return errors;
}
