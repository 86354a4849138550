import type { Argument } from './argument.ts';
import type { Catalogue } from './catalogue.ts';
import type { Operation } from './operation.ts';

/** Writes how an operation is typed after `/vps`: `snapshot create VPS NAME`. What may be left out stands in brackets. */
export function usageOf(operation: Operation): string {
  const fields = Object.values(operation.arguments);
  const inPlace = fields.filter(({ flag }) => flag === undefined);
  const flagged = fields.filter(({ flag }) => flag !== undefined);
  return [operation.name, ...[...inPlace, ...flagged].map(usageOfArgument)].join(' ');
}

function usageOfArgument({ control, label, flag, required, written }: Argument): string {
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
