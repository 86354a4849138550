import type { Argument, Arguments } from '../../operations/argument.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RawInput, RawRow } from '../../operations/outcome.ts';
import type { FormMetadata } from './metadata.ts';

/** A form as it is to be: what is filled in, and what it carries with it. */
export interface FormState {
  readonly raw: RawInput;
  readonly metadata: FormMetadata;
}

/** Together no longer than what leaves room for the rest of what a form carries with it. */
const mostAsideChars = 600;

/** Names the arguments that others depend on: for their choices, for their meaning, or for what they are filled with. */
function parentNames(operation: Operation): ReadonlySet<string> {
  const { arguments: fields } = operation;
  const meant = Object.values(fields).flatMap(({ meantFor }) => meantFor?.argument ?? []);
  return new Set([...sourceParents(fields), ...meant, ...(filledBy(operation) ?? [])]);
}

function sourceParents(fields: Arguments): readonly string[] {
  return Object.values(fields).flatMap(({ control }): readonly string[] => {
    if (control.kind === 'rows') return sourceParents(control.fields);
    return control.kind === 'remote' && control.source.dependsOn !== undefined
      ? [control.source.dependsOn]
      : [];
  });
}

function filledBy(operation: Operation): readonly [string] | undefined {
  const name = operation.kind === 'own' ? operation.form?.filledBy : undefined;
  return name === undefined ? undefined : [name];
}

/** Names the arguments that a form hears of at once, because it shows something else when they change. */
export function heardNames(operation: Operation): ReadonlySet<string> {
  const previewed = operation.kind === 'own' ? operation.form?.preview?.of : undefined;
  return new Set([...parentNames(operation), ...(previewed ?? [])]);
}

/** Gives what has been chosen of the arguments that others depend on. */
export function parentsOf(operation: Operation, raw: RawInput): FormMetadata['parents'] {
  const entries = [...parentNames(operation)].flatMap((name) => {
    const value = chosenOf(operation.arguments[name], raw[name]);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function chosenOf(argument: Argument | undefined, given: RawInput[string] | undefined): string | undefined {
  const value = argument?.schema.safeParse(given ?? argument.initial).data;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Gives the arguments whose fields a form shows: those that mean something beside what else is chosen. */
export function shownFields(operation: Operation, { parents }: Pick<FormMetadata, 'parents'>): Arguments {
  const [filler] = filledBy(operation) ?? [];
  const isFilled = filler === undefined || parents[filler] !== undefined;
  const shown = Object.entries(operation.arguments).filter(([name, { meantFor }]) => {
    if (!isFilled) return name === filler;
    return !meantFor || meantFor.choices.includes(parents[meantFor.argument] ?? '');
  });
  return Object.fromEntries(shown);
}

/** Gives what has been filled in of fields that are not shown now, so that it comes back with them. */
export function asideOf(operation: Operation, raw: RawInput, metadata: Pick<FormMetadata, 'parents'>) {
  const shown = shownFields(operation, metadata);
  let left = mostAsideChars;
  const entries = Object.entries(raw).flatMap(([name, value]) => {
    const isHidden = Object.hasOwn(operation.arguments, name) && !Object.hasOwn(shown, name);
    if (!isHidden || typeof value !== 'string' || value.length > left) return [];
    left -= value.length;
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Follows what has been chosen: what depends on a parent that is another now is to be chosen anew. Nothing where none is. */
export function follow(operation: Operation, { raw, metadata }: FormState): FormState | undefined {
  const { arguments: fields } = operation;
  const parents = parentsOf(operation, raw);
  const changed = [...parentNames(operation)].filter((name) => parents[name] !== metadata.parents[name]);
  if (changed.length === 0) return undefined;
  const { revision, edition } = metadata;
  const kept = withoutDependents(fields, raw, changed);
  const isNewlyChosen = [...sourceParents(fields), ...(filledBy(operation) ?? [])].some((name) =>
    changed.includes(name),
  );
  const next = { ...metadata, parents, revision: revision + Number(isNewlyChosen), edition: edition + 1 };
  return { raw: kept, metadata: { ...next, aside: asideOf(operation, kept, next) } };
}

/** Tells whether what fills the form has been chosen anew. */
export function isToBeFilled(operation: Operation, before: FormMetadata, after: FormMetadata): boolean {
  const [name] = filledBy(operation) ?? [];
  return name !== undefined && after.parents[name] !== before.parents[name];
}

function withoutDependents(fields: Arguments, raw: RawInput, changed: readonly string[]): RawInput {
  const entries = Object.entries(raw).flatMap(([name, value]) => {
    const control = fields[name]?.control;
    if (dependsOnOne(fields[name], changed)) return [];
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
  return Object.fromEntries(Object.entries(row).filter(([name]) => !dependsOnOne(fields[name], changed)));
}

function dependsOnOne(argument: Argument | undefined, names: readonly string[]): boolean {
  const { control } = argument ?? {};
  return control?.kind === 'remote' && names.includes(control.source.dependsOn ?? '');
}
