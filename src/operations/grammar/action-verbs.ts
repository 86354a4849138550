import type { Catalogue, Operation } from '../define/operation.ts';

/** Words that people type as commands, although they are actions of the service. */
const actionVerbs = ['start', 'stop', 'shutdown', 'restart', 'poweron', 'poweroff'];

/** Synonyms, used if the service has no action of that name. */
const sameAs: Readonly<Record<string, string>> = { restart: 'reboot' };

export type ActionVerb =
  | { readonly kind: 'action'; readonly operation: Operation; readonly action: string }
  /** A command that does the same. */
  | { readonly kind: 'command'; readonly name: string };

/**
 * Returns the action or command that a typed verb such as `stop` means, or undefined for other
 * words.
 */
export function findActionVerb(word: string, catalogue: Catalogue): ActionVerb | undefined {
  const verb = word.toLowerCase();
  const operation = catalogue.find('action');
  const control = operation?.arguments.action?.control;
  if (!operation || control?.kind !== 'choice' || !actionVerbs.includes(verb)) return undefined;
  const name = control.options.includes(verb) ? undefined : sameAs[verb];
  return name === undefined ? { kind: 'action', operation, action: verb } : { kind: 'command', name };
}
