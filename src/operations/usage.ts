import type { Argument } from './argument.ts';
import type { Catalogue } from './catalogue.ts';
import type { Operation } from './operation.ts';

/** More flags that may be left out are a wall that nobody reads: the form is for them. */
const mostFlags = 5;

/** Writes how an operation is typed after `/vps`: `snapshot create VPS NAME`. What may be left out stands in brackets. */
export function usageOf(operation: Operation): string {
  const fields = Object.values(operation.arguments);
  const inPlace = fields.filter(({ flag }) => flag === undefined);
  const flagged = fields.filter(({ flag }) => flag !== undefined);
  const shown = isForForm(operation) ? flagged.filter(isNeeded) : flagged;
  const more = shown.length < flagged.length ? ['[--…]'] : [];
  return [operation.name, ...[...inPlace, ...shown].map(usageOfArgument), ...more].join(' ');
}

/** Tells whether an operation is better asked for by its form than typed. */
export function isForForm({ arguments: fields }: Operation): boolean {
  return (
    Object.values(fields).filter((field) => field.flag !== undefined && !isNeeded(field)).length > mostFlags
  );
}

/** Tells whether it is needed, whatever else is given. */
function isNeeded({ required, meantFor }: Argument): boolean {
  return required && meantFor === undefined;
}

function usageOfArgument(argument: Argument): string {
  const { control, label, flag, written } = argument;
  const required = isNeeded(argument);
  const value =
    control.kind === 'choice' && written === undefined
      ? control.options.join('|')
      : (written ?? label).replaceAll(' ', '-').toUpperCase();
  if (flag === undefined) return bracketed(value, required);
  const typed = control.kind === 'switch' ? `--${flag}` : `--${flag} ${value}`;
  return bracketed(typed, required) + (control.kind === 'rows' ? '…' : '');
}

function bracketed(text: string, required: boolean): string {
  return required ? text : `[${text}]`;
}

/** Writes what a command can do, as Slack shows it beside the command: the first words, for there are many. */
export function usageHint({ groups }: Catalogue): string {
  const names = groups.flatMap(({ operations }) => operations.map(({ name }) => name.split(' ')[0] ?? name));
  return `[${[...new Set(names)].join(' | ')}]`;
}
