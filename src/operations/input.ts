import { type Arguments, type Control, inputSchema } from './argument.ts';
import type { Operation } from './operation.ts';
import type { RawInput } from './outcome.ts';
import { fleet } from './sources/fleet.ts';

/** What is wrong with one field: its place (`vps`, `backends.0.target_port`) and a sentence. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

export type ParsedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly FieldProblem[]; readonly missing: boolean };

/** Checks what a person gave. `missing` says that nothing is wrong but that something required was not given. */
export function parseInput(operation: Operation, raw: RawInput): ParsedInput {
  const parsed = inputSchema(operation.arguments).safeParse(raw);
  if (parsed.success) return { ok: true, input: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const missing = parsed.error.issues.every(({ path: [field] }) => raw[String(field)] === undefined);
  return { ok: false, problems, missing };
}

/** Gives what a person gave as far as it is understood: each value that is accepted by itself. */
export function inputOf({ arguments: fields }: Operation, raw: RawInput): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([name, { schema }]) => {
    const parsed = schema.safeParse(raw[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(entries);
}

/** Lists the VPS that an input names, rows included. */
export function vpsNamesOf(fields: Arguments, input: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.entries(fields).flatMap(([name, { control }]): readonly string[] => {
    const value = input[name];
    if (isVps(control) && typeof value === 'string') return [value];
    if (control.kind !== 'rows' || !Array.isArray(value)) return [];
    return value.flatMap((row) => vpsNamesOf(control.fields, row));
  });
  return [...new Set(names)];
}

/** Tells whether an operation is run on VPS that its input names, rows included. */
export function takesVps({ arguments: fields }: Pick<Operation, 'arguments'>): boolean {
  return Object.values(fields).some(
    ({ control }) => isVps(control) || (control.kind === 'rows' && takesVps({ arguments: control.fields })),
  );
}

/** Tells whether what is chosen is a VPS. */
export function isVps(control: Control): boolean {
  return control.kind === 'remote' && control.source === fleet;
}

/** Names what an operation acts upon, as far as its input is understood. */
export function targetOf(operation: Operation, parsed: ParsedInput): string | null {
  if (!parsed.ok) return null;
  if (operation.kind !== 'read' && operation.target) return operation.target(parsed.input);
  return vpsNamesOf(operation.arguments, parsed.input).join(', ') || null;
}
