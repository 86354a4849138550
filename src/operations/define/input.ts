import { isVpsName } from '../../hosting/profile/values/records.ts';
import { type Arguments, type Control, inputSchema } from './argument.ts';
import type { Operation } from './operation.ts';
import type { FieldProblem, RawInput } from './raw-input.ts';

export type ParsedInput =
  | { readonly kind: 'valid'; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[]; readonly isIncomplete: boolean };

/** Parses raw input. `isIncomplete` means that missing required values are the only problem. */
export function parseInput(operation: Operation, raw: RawInput): ParsedInput {
  const parsed = inputSchema(operation.arguments).safeParse(raw);
  if (parsed.success) return { kind: 'valid', input: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const missing = parsed.error.issues.every(({ path: [field] }) => raw[String(field)] === undefined);
  return { kind: 'invalid', problems, isIncomplete: missing };
}

/** Returns the values that are valid on their own. The others are left out. */
export function parseValidFields(
  { arguments: fields }: Operation,
  raw: RawInput,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([name, { schema }]) => {
    const parsed = schema.safeParse(raw[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns the VPS names in an input, including those in its rows. Other names of VPS are left out. */
export function listVpsNames(fields: Arguments, input: Readonly<Record<string, unknown>>): readonly string[] {
  return listVpsReferences(fields, input).filter(isVpsName);
}

/**
 * Returns whether an input names a VPS by another name than its VPS name, so that it still has to
 * be resolved.
 */
export function hasUnresolvedVps(fields: Arguments, input: Readonly<Record<string, unknown>>): boolean {
  return !listVpsReferences(fields, input).every(isVpsName);
}

function listVpsReferences(fields: Arguments, input: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.entries(fields).flatMap(([name, { control }]): readonly string[] => {
    const value = input[name];
    if (isVpsControl(control) && typeof value === 'string') return [value];
    if (control.kind !== 'rows' || !Array.isArray(value)) return [];
    return value.flatMap((row) => listVpsReferences(control.fields, row));
  });
  return [...new Set(names)];
}

/** Returns whether an operation has an argument for a VPS, also inside rows. */
export function hasVpsArgument({ arguments: fields }: Pick<Operation, 'arguments'>): boolean {
  return Object.values(fields).some(
    ({ control }) =>
      isVpsControl(control) || (control.kind === 'rows' && hasVpsArgument({ arguments: control.fields })),
  );
}

/** Returns whether a control selects a VPS. */
export function isVpsControl(control: Control): boolean {
  return control.kind === 'remote' && control.source.listsVps === true;
}

/**
 * Returns the target of an operation. Returns null if the input is incomplete, or names a VPS by
 * another name than its VPS name.
 */
export function resolveTarget(operation: Operation, parsed: ParsedInput): string | null {
  if (parsed.kind === 'invalid' || hasUnresolvedVps(operation.arguments, parsed.input)) return null;
  if (operation.kind !== 'read' && operation.target) return operation.target(parsed.input);
  return listVpsNames(operation.arguments, parsed.input).join(', ') || null;
}
