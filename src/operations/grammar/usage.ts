import type { Argument } from '../define/arguments/argument.ts';
import { listGivenArguments } from '../define/inspect-operation.ts';
import type { Operation } from '../define/operation.ts';

/** Maximum number of optional flags shown in help. If there are more, help refers to the form. */
const maxOptionalFlags = 5;

/** Returns how an operation is typed after `/vps`: `snapshot create VPS NAME`. Optional parts are in brackets. */
export function formatUsage(operation: Operation): string {
  const fields = listGivenArguments(operation).map(([, argument]) => argument);
  const inPlace = fields.filter(({ flag }) => flag === undefined);
  const flagged = fields.filter(({ flag }) => flag !== undefined);
  const shown = prefersForm(operation) ? flagged.filter(isAlwaysRequired) : flagged;
  const more = shown.length < flagged.length ? ['[--…]'] : [];
  return [operation.name, ...[...inPlace, ...shown].map(formatArgumentUsage), ...more].join(' ');
}

export interface OperationEntry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** The operations, one per kind of target. */
  readonly operations: readonly [Operation, ...Operation[]];
}

/** Lists operations for help. Operations that do the same to different kinds of targets share an entry. */
export function listEntries(operations: readonly Operation[]): readonly OperationEntry[] {
  const byName = Map.groupBy(operations, ({ name, listedAs }) => listedAs?.name ?? name);
  return [...byName].flatMap(([name, [first, ...others]]) => {
    if (!first) return [];
    const usage = `${name}${formatUsage(first).slice(first.name.length)}`;
    const summary = first.listedAs?.summary ?? first.summary;
    return [{ name, usage, summary, operations: [first, ...others] }];
  });
}

/** Returns whether an operation has so many options that its form is easier to use. */
export function prefersForm({ arguments: fields }: Operation): boolean {
  return (
    Object.values(fields).filter((field) => field.flag !== undefined && !isAlwaysRequired(field)).length >
    maxOptionalFlags
  );
}

function isAlwaysRequired({ required, shownWhen }: Argument): boolean {
  return required && shownWhen === undefined;
}

function formatArgumentUsage(argument: Argument): string {
  const { control, label, flag, valueName } = argument;
  const required = isAlwaysRequired(argument);
  const value =
    control.kind === 'choice' && valueName === undefined
      ? control.options.join('|')
      : (valueName ?? label).replaceAll(' ', '-').toUpperCase();
  if (flag === undefined) return formatOptional(value, required);
  const typed = `--${flag} ${control.kind === 'switch' ? '[yes|no]' : value}`;
  return formatOptional(typed, required) + (control.kind === 'rows' ? '…' : '');
}

function formatOptional(text: string, required: boolean): string {
  return required ? text : `[${text}]`;
}
