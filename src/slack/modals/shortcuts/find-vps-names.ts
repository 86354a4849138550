import { vpsName } from '../../../hosting/endpoints/fields.ts';
import { toComparableName } from '../../../operations/choices/matching/comparable-name.ts';
import { listChoiceNames } from '../../../operations/choices/matching/match-choices.ts';
import type { Choice } from '../../../operations/define/arguments/choice-source.ts';

const candidate = /\bvps-[a-z0-9][a-z0-9_-]*/gi;

/** Returns the VPS names in a message's text and blocks, in order and without duplicates. */
function findVpsNames(message: unknown): readonly string[] {
  const candidates = JSON.stringify(message ?? '').match(candidate) ?? [];
  return [...new Set(candidates.flatMap((name) => vpsName.safeParse(name.replace(/[-_]+$/, '')).data ?? []))];
}

const word = /[\p{L}\p{N}][\p{L}\p{N}._-]*/gu;

/** Returns the VPS named in a message: first those in its text, in order, then those only in its blocks. */
export function listNamedVps(
  message: { readonly text?: string | undefined },
  choices: readonly Choice[],
): readonly string[] {
  return [...new Set([...findNamedVps(message.text ?? '', choices), ...findVpsNames(message)])];
}

/**
 * Returns the VPS that a text mentions by any of their names, such as `web-02`. Ignores names that several
 * VPS share.
 */
function findNamedVps(text: string, choices: readonly Choice[]): readonly string[] {
  const owners = new Map<string, string | undefined>();
  for (const choice of choices) {
    for (const name of new Set(listChoiceNames(choice).map(toComparableName)))
      owners.set(name, owners.has(name) ? undefined : choice.value);
  }
  const words = (text.match(word) ?? []).map((one) => toComparableName(one.replace(/[._-]+$/, '')));
  return [...new Set(words.flatMap((one) => owners.get(one) ?? []))];
}
