import type { Argument, Arguments } from '../../operations/argument.ts';
import type { RawInput, RawRow } from '../../operations/outcome.ts';
import type { FormMetadata } from './metadata.ts';

/** A form as it is to be: what is filled in, and what it carries with it. */
export interface FormState {
  readonly raw: RawInput;
  readonly metadata: FormMetadata;
}

/** Names the arguments that others depend on. */
export function parentNames(fields: Arguments): ReadonlySet<string> {
  const names = Object.values(fields).flatMap(({ control }): readonly string[] => {
    if (control.kind === 'rows') return [...parentNames(control.fields)];
    return control.kind === 'remote' && control.source.dependsOn !== undefined
      ? [control.source.dependsOn]
      : [];
  });
  return new Set(names);
}

/** Gives what has been chosen of the arguments that others depend on. */
export function parentsOf(fields: Arguments, raw: RawInput): FormMetadata['parents'] {
  const entries = [...parentNames(fields)].flatMap((name) => {
    const value = fields[name]?.schema.safeParse(raw[name]).data;
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** Follows what has been chosen: what depends on a parent that is another now is to be chosen anew. Nothing where none is. */
export function follow(fields: Arguments, { raw, metadata }: FormState): FormState | undefined {
  const parents = parentsOf(fields, raw);
  const changed = [...parentNames(fields)].filter((name) => parents[name] !== metadata.parents[name]);
  if (changed.length === 0) return undefined;
  const { revision, edition } = metadata;
  return {
    raw: withoutDependents(fields, raw, changed),
    metadata: { ...metadata, parents, revision: revision + 1, edition: edition + 1 },
  };
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
