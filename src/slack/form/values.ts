import type { ViewStateValue } from '@slack/bolt';
import type { Arguments } from '../../operations/argument.ts';
import type { FieldProblem } from '../../operations/input.ts';
import type { RawInput, RawRow, RawValue } from '../../operations/outcome.ts';
import type { FormMetadata } from './metadata.ts';

/** `state.values` of a view: block id, action id, value. */
export type FormState = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>;

/** Reads what was filled into a form; what was left empty is left out. */
export function readForm(fields: Arguments, state: FormState, rows: FormMetadata['rows']): RawInput {
  const entries = Object.entries(fields).map(([name, { control }]): [string, RawValue | undefined] =>
    control.kind === 'rows'
      ? [name, (rows[name] ?? []).map((rowId) => readRow(control.fields, `${name}.${rowId}.`, state))]
      : [name, readValue(state[name])],
  );
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function readRow(fields: Arguments, prefix: string, state: FormState): RawRow {
  const entries = Object.keys(fields).map((name) => [name, readValue(state[prefix + name])] as const);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function readValue(block: FormState[string] | undefined): string | boolean | undefined {
  const [element] = Object.values(block ?? {});
  if (!element) return undefined;
  if (element.type === 'checkboxes') return (element.selected_options ?? []).length > 0;
  const text = element.selected_option?.value ?? element.value ?? undefined;
  return text === '' ? undefined : text;
}

/** Puts problems beside their fields: by block id, with the first problem of each. */
export function errorsByBlock(
  problems: readonly FieldProblem[],
  rows: FormMetadata['rows'],
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of problems) {
    const [name = '', index, ...rest] = path.split('.');
    const rowId = index === undefined ? undefined : rows[name]?.[Number(index)];
    errors[rowId === undefined ? path : [name, rowId, ...rest].join('.')] ??= message;
  }
  return errors;
}
