import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Operation } from '../operation.ts';
import { type Arguments, type Control, inputSchema } from './argument.ts';
import type { FieldProblem, RawInput } from './raw-input.ts';
import { isVpsReference, replaceWord, setValueAt, splitWords } from './remote-fields.ts';

/** The parsed values of an operation's arguments, by name. */
export type Input = Readonly<Record<string, unknown>>;

export interface ValidInput {
  readonly kind: 'valid';
  /** The input before parsing. It is stored, and passed along in buttons and forms. */
  readonly raw: RawInput;
  readonly input: Input;
  /** The same as `input`. */
  readonly validFields: Input;
}

interface InvalidInput {
  readonly kind: 'invalid';
  readonly raw: RawInput;
  /** The values that are valid by themselves, even though the input as a whole isn't. */
  readonly validFields: Input;
  readonly problems: readonly FieldProblem[];
  /** Whether missing required values are the only problem. */
  readonly isIncomplete: boolean;
}

export type ParsedInput = ValidInput | InvalidInput;

/** Parses raw input. Called once, where the input arrives; all later steps use the result. */
export function parseInput(operation: Operation, raw: RawInput): ParsedInput {
  const parsed = inputSchema(operation.arguments).safeParse(raw);
  if (parsed.success) return toValidInput(raw, parsed.data);
  const { issues } = parsed.error;
  const problems = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const isIncomplete = issues.every(({ path: [field] }) => raw[String(field)] === undefined);
  return { kind: 'invalid', raw, validFields: parseValidFields(operation, raw), problems, isIncomplete };
}

function toValidInput(raw: RawInput, input: Input): ValidInput {
  return { kind: 'valid', raw, input, validFields: input };
}

/** Returns the values that are valid by themselves. */
function parseValidFields({ arguments: fields }: Operation, raw: RawInput): Input {
  const entries = Object.entries(fields).flatMap(([name, { schema }]) => {
    const parsed = schema.safeParse(raw[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Replaces the text at a path, such as `backends.0.vps_name` or `vps.0`. The text is an ID that the
 * service has listed, so the input isn't parsed again.
 */
export function replaceInputText(
  operation: Operation,
  { raw, input }: ValidInput,
  path: string,
  text: string,
): ValidInput {
  return toValidInput(
    setValueAt(operation, raw, path, text),
    replaceAt(input, path.split('.'), text) as Input,
  );
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaceAt(item, rest, text) : item));
  if (typeof value === 'string') return replaceWord(value, Number(key), text);
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: replaceAt(Reflect.get(value, key), rest, text) };
}

/** Returns the VPS names in an input, including those in its rows. Unresolved names are left out. */
export function listVpsNames(fields: Arguments, input: Input): readonly string[] {
  return listVpsReferences(fields, input).filter(isVpsName);
}

/** Returns whether an input contains a name that still has to be resolved to a VPS name. */
export function hasUnresolvedVps(fields: Arguments, input: Input): boolean {
  return !listVpsReferences(fields, input).every(isVpsName) || hasUnresolvedWord(fields, input);
}

function hasUnresolvedWord(fields: Arguments, input: Input): boolean {
  return Object.entries(fields).some(
    ([name, { control }]) =>
      control.kind === 'vpsWords' && splitWords(String(input[name] ?? '')).some(isVpsReference),
  );
}

function listVpsReferences(fields: Arguments, input: Input): readonly string[] {
  const names = Object.entries(fields).flatMap(([name, { control }]): readonly string[] => {
    const value = input[name];
    if (isVpsControl(control) && typeof value === 'string') return [value];
    if (control.kind !== 'rows' || !Array.isArray(value)) return [];
    return value.flatMap((row) => listVpsReferences(control.fields, row));
  });
  return [...new Set(names)];
}

/** Returns whether an operation has an argument for a VPS, including inside rows. */
export function hasVpsArgument({ arguments: fields }: Pick<Operation, 'arguments'>): boolean {
  return Object.values(fields).some(
    ({ control }) =>
      isVpsControl(control) || (control.kind === 'rows' && hasVpsArgument({ arguments: control.fields })),
  );
}

export function isVpsControl(control: Control): boolean {
  return control.kind === 'remote' && control.source.listsVps === true;
}

/** Returns an operation's target, or null if there is none, the input is invalid, or a VPS still has to be resolved. */
export function resolveTarget(operation: Operation, parsed: ParsedInput): string | null {
  if (parsed.kind === 'invalid' || hasUnresolvedVps(operation.arguments, parsed.input)) return null;
  if (operation.kind !== 'read' && operation.target) return operation.target(parsed.input);
  return listVpsNames(operation.arguments, parsed.input).join(', ') || null;
}
