import { distance } from 'fastest-levenshtein';
import { findNearestName } from '../../nearest-name.ts';
import { createBatchOperation } from '../several/batch-operation.ts';
import type { Catalogue, Operation, OperationGroup } from './operation.ts';

/** Maximum number of words in an operation's name. */
export const maxNameWords = 2;

/**
 * Creates a catalogue. Throws if two operations have the same name. `onlyButtons` are operations that are
 * run only from buttons: they can't be typed, and lists leave them out.
 */
export function createCatalogue(
  groups: readonly OperationGroup[],
  onlyButtons: readonly Operation[] = [],
): Catalogue {
  const byName = new Map<string, Operation>();
  for (const operation of groups.flatMap((group) => group.operations)) {
    if (byName.has(operation.name)) throw new Error(`two operations are called "${operation.name}"`);
    byName.set(operation.name, operation);
  }
  const byAlias = new Map(
    [...byName.values()].flatMap((operation) =>
      Object.entries(operation.aliases ?? {}).map(
        ([name, implied]) => [name, { operation, implied }] as const,
      ),
    ),
  );
  const names = [...byName.keys(), ...byAlias.keys()];
  const batches = [...byName.values()].flatMap((operation) =>
    operation.kind === 'change' && operation.several ? [createBatchOperation(operation)] : [],
  );
  const untyped = new Map([...batches, ...onlyButtons].map((operation) => [operation.name, operation]));

  return {
    groups,
    find: (name) => byName.get(name) ?? untyped.get(name),
    match(words) {
      for (let nameWords = Math.min(maxNameWords, words.length); nameWords > 0; nameWords -= 1) {
        const name = joinWords(words, nameWords);
        const operation = byName.get(name);
        const found = operation ? { operation, implied: {} } : byAlias.get(name);
        if (found) return { ...found, nameWords };
      }
      return undefined;
    },
    suggest(words) {
      const near = [maxNameWords, 1]
        .filter((count) => count <= words.length)
        .flatMap((count) => {
          const name = findNearestName(joinWords(words, count), names);
          // A name that matches exactly is an alias that was typed with too many words.
          return name === undefined || name === joinWords(words, count)
            ? []
            : [{ name, words: count, distance: distance(joinWords(words, count), name) }];
        })
        .sort((a, b) => a.distance - b.distance)[0];
      if (near) return { name: near.name, wordCount: near.words };
      const name = names.find((candidate) => candidate.startsWith(`${joinWords(words, 1)} `));
      return name === undefined ? undefined : { name, wordCount: 1 };
    },
  };
}

function joinWords(words: readonly string[], count: number): string {
  return words.slice(0, count).join(' ').toLowerCase();
}
