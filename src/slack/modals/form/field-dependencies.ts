import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Argument, Arguments } from '../../../operations/define/arguments/argument.ts';
import { isVpsControl } from '../../../operations/define/arguments/input.ts';
import type { RawInput, RawRow } from '../../../operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { FormMetadata } from './form-metadata.ts';
import type { TextDispatch } from './input-element.ts';

export interface FormState {
  readonly raw: RawInput;
  readonly metadata: FormMetadata;
}

/** Maximum total length of the hidden values. Leaves room for the other metadata. */
const maxHiddenValueChars = 600;

/** Lists the arguments that determine another argument's choices, visibility or initial value. */
function listParentFields(operation: Operation): ReadonlySet<string> {
  const { arguments: fields } = operation;
  const visibilityParents = Object.values(fields).flatMap(({ shownWhen }) => shownWhen?.argument ?? []);
  return new Set([
    ...listChoiceParents(fields),
    ...visibilityParents,
    ...(findPrefillField(operation) ?? []),
  ]);
}

function listChoiceParents(fields: Arguments): readonly string[] {
  return Object.values(fields).flatMap(({ control }): readonly string[] => {
    if (control.kind === 'rows') return listChoiceParents(control.fields);
    return control.kind === 'remote' && control.source.dependsOn !== undefined
      ? [control.source.dependsOn]
      : [];
  });
}

function findPrefillField(operation: Operation): readonly [string] | undefined {
  const name = operation.kind === 'local' ? operation.form?.prefilledBy : undefined;
  return name === undefined ? undefined : [name];
}

/** Lists the arguments whose changes Slack must report, because they change the form. */
export function listDispatchedFields(operation: Operation): ReadonlyMap<string, TextDispatch> {
  const preview = operation.kind === 'local' ? operation.form?.preview : undefined;
  const dispatch = preview?.isWhileTyping ? 'whileTyping' : 'onEnter';
  return new Map([
    ...(preview?.dependsOn ?? []).map((name) => [name, dispatch] as const),
    ...[...listParentFields(operation)].map((name) => [name, 'onEnter'] as const),
  ]);
}

/** Returns the current values of the arguments that others depend on. */
export function readParentValues(operation: Operation, raw: RawInput): FormMetadata['parentValues'] {
  const entries = [...listParentFields(operation)].flatMap((name) => {
    const value = parseChosenValue(operation.arguments[name], raw[name]);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function parseChosenValue(
  argument: Argument | undefined,
  rawValue: RawInput[string] | undefined,
): string | undefined {
  const value = argument?.schema.safeParse(rawValue ?? argument.initial).data;
  // Choices depend on the VPS name, so any other way to name a VPS is left out until it's resolved.
  if (typeof value !== 'string' || (argument && isVpsControl(argument.control) && !isVpsName(value)))
    return undefined;
  return value === '' ? undefined : value;
}

export function listVisibleFields(
  operation: Operation,
  { parentValues }: Pick<FormMetadata, 'parentValues'>,
): Arguments {
  const [prefillField] = findPrefillField(operation) ?? [];
  const isPrefilled = prefillField === undefined || parentValues[prefillField] !== undefined;
  const shown = Object.entries(operation.arguments).filter(([name, { shownWhen, isSetByButtons }]) => {
    if (isSetByButtons) return false;
    if (!isPrefilled) return name === prefillField;
    return !shownWhen || shownWhen.choices.includes(parentValues[shownWhen.argument] ?? '');
  });
  return Object.fromEntries(shown);
}

/** Returns the values set by the button that opened the form. */
export function readButtonValues(
  { arguments: fields }: Operation,
  { hiddenValues }: Pick<FormMetadata, 'hiddenValues'>,
): RawInput {
  return Object.fromEntries(Object.entries(hiddenValues).filter(([name]) => fields[name]?.isSetByButtons));
}

/** Returns the hidden fields' values, which are restored when the fields are shown again. */
export function readHiddenValues(
  operation: Operation,
  raw: RawInput,
  metadata: Pick<FormMetadata, 'parentValues'>,
) {
  const shown = listVisibleFields(operation, metadata);
  let availableChars = maxHiddenValueChars;
  const entries = Object.entries(raw).flatMap(([name, value]) => {
    const isHidden = Object.hasOwn(operation.arguments, name) && !Object.hasOwn(shown, name);
    if (!isHidden || typeof value !== 'string' || value.length > availableChars) return [];
    availableChars -= value.length;
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Clears the fields that depend on a changed parent field. Returns undefined if no parent field has changed. */
export function refreshDependents(operation: Operation, { raw, metadata }: FormState): FormState | undefined {
  const { arguments: fields } = operation;
  const parentValues = readParentValues(operation, raw);
  const changed = [...listParentFields(operation)].filter(
    (name) => parentValues[name] !== metadata.parentValues[name],
  );
  if (changed.length === 0) return undefined;
  const remaining = withoutDependents(fields, raw, changed);
  const isNewlyChosen = [...listChoiceParents(fields), ...(findPrefillField(operation) ?? [])].some((name) =>
    changed.includes(name),
  );
  const next = {
    ...metadata,
    parentValues,
    revision: metadata.revision + Number(isNewlyChosen),
  };
  return {
    raw: remaining,
    metadata: { ...next, hiddenValues: readHiddenValues(operation, remaining, next) },
  };
}

export function shouldPrefill(operation: Operation, before: FormMetadata, after: FormMetadata): boolean {
  const [name] = findPrefillField(operation) ?? [];
  return name !== undefined && after.parentValues[name] !== before.parentValues[name];
}

function withoutDependents(fields: Arguments, raw: RawInput, changed: readonly string[]): RawInput {
  const entries = Object.entries(raw).flatMap(([name, value]) => {
    const control = fields[name]?.control;
    if (dependsOnAny(fields[name], changed)) return [];
    if (control?.kind !== 'rows' || !Array.isArray(value)) return [[name, value]];
    return [[name, value.map((row) => withoutDependentFields(control.fields, row, changed))]];
  });
  return Object.fromEntries(entries);
}

function withoutDependentFields(
  fields: Arguments,
  row: string | RawRow,
  changed: readonly string[],
): string | RawRow {
  if (typeof row === 'string') return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !dependsOnAny(fields[name], changed)));
}

function dependsOnAny(argument: Argument | undefined, names: readonly string[]): boolean {
  const { control } = argument ?? {};
  return control?.kind === 'remote' && names.includes(control.source.dependsOn ?? '');
}
