import type { Argument } from './argument.ts';
import type { Operation } from './operation.ts';

/** Writes how an operation is typed after `/vps`: `snapshot create VPS NAME`. What may be left out stands in brackets. */
export function usageOf(operation: Operation): string {
  const parts = Object.entries(operation.arguments).map(([name, argument]) =>
    usageOfArgument(name, argument),
  );
  return [operation.name, ...parts].join(' ');
}

function usageOfArgument(name: string, { control, flag, required }: Argument): string {
  if (flag === undefined) return bracketed(name.replaceAll('_', ' ').toUpperCase(), required);
  const value =
    control.kind === 'choice' ? control.options.join('|') : name.replaceAll('_', '-').toUpperCase();
  const typed = control.kind === 'switch' ? `--${flag}` : `--${flag} ${value}`;
  return bracketed(typed, required) + (control.kind === 'rows' ? '…' : '');
}

function bracketed(text: string, required: boolean): string {
  return required ? text : `[${text}]`;
}
