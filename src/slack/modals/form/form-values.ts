import type { ViewStateValue } from '@slack/bolt';
import { parseSelectValue } from '../../../operations/choices/matching/unlisted-choice.ts';
import type { Argument, Arguments } from '../../../operations/define/arguments/argument.ts';
import type {
  FieldProblem,
  RawInput,
  RawRow,
  RawValue,
} from '../../../operations/define/arguments/raw-input.ts';
import { toBlockId, toFieldPath } from './block-id.ts';
import type { FormContext } from './field-blocks.ts';
import type { FormMetadata } from './form-metadata.ts';

export type ViewValues = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>;

/** Parses a form's values. Leaves out empty fields, except in a prefilled form. */
export function parseFormValues(
  fields: Arguments,
  state: ViewValues,
  form: Pick<FormMetadata, 'rows' | 'revision' | 'prefillField' | 'showsStoredValues'>,
): RawInput {
  const { rows } = form;
  const isPrefilled = form.prefillField !== undefined || form.showsStoredValues === true;
  const valueAt = (path: string, { control }: Argument) => {
    const block = state[toBlockId(path, control, form)];
    // In a prefilled form, emptying a field removes the stored value.
    const empty = block && isPrefilled ? '' : undefined;
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
  const chosen = element.selected_option?.value;
  const text =
    (chosen === undefined ? undefined : parseSelectValue(chosen).text) ??
    element.selected_conversation ??
    // A name copied from a message has zero-width spaces next to its asterisks.
    element.value?.replaceAll('\u200B', '') ??
    undefined;
  return text === '' ? undefined : text;
}

/** Returns whether a chosen option is a name that the service's list doesn't contain. */
export function hasUnlistedChoice(state: ViewValues): boolean {
  return Object.values(state)
    .flatMap((block) => Object.values(block))
    .some(({ selected_option: chosen }) => chosen && parseSelectValue(chosen.value).isUnlisted);
}

export function parseChoiceLabels(state: ViewValues): FormContext['choiceLabels'] {
  const entries = Object.entries(state).flatMap(([blockId, block]) => {
    const text = Object.values(block)[0]?.selected_option?.text.text;
    return text === undefined ? [] : [[toFieldPath(blockId), text]];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns errors by block ID, as Slack needs them. Each field gets its first problem. Slack accepts
 * errors only for the modal's input blocks (`blockIds`), so a problem without a field is shown at
 * the nearest field.
 */
export function toBlockErrors(
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
      blockIds.find((id) => toFieldPath(id) === field) ??
      blockIds.find((id) => id.startsWith(`${name}.`)) ??
      blockIds[0];
    if (blockId !== undefined) errors[blockId] ??= message;
  }
  return errors;
}
