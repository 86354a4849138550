import { distance } from 'fastest-levenshtein';
import { nearestName } from './nearest-name.ts';
import type { Operation } from './operation.ts';

export interface Group {
  readonly heading: string;
  readonly operations: readonly Operation[];
}

export interface Suggestion {
  readonly name: string;
  readonly words: number;
}

/** Everything that a person can do, to be looked up, suggested and explained. */
export interface Catalogue {
  readonly groups: readonly Group[];
  /** Finds the operation of exactly this name. */
  find(name: string): Operation | undefined;
  /** Finds the operation that the words begin with, and how many of them are its name. */
  match(words: readonly string[]): { operation: Operation; nameWords: number } | undefined;
  /** Finds the name that was probably meant, if any is near, and how many of the words stand for it. */
  suggest(words: readonly string[]): Suggestion | undefined;
}

/** Longest name of an operation, in words. */
export const mostNameWords = 2;

/** Creates the catalogue of groups of operations. Throws when two have the same name. */
export function createCatalogue(groups: readonly Group[]): Catalogue {
  const byName = new Map<string, Operation>();
  for (const operation of groups.flatMap((group) => group.operations)) {
    if (byName.has(operation.name)) throw new Error(`two operations are called "${operation.name}"`);
    byName.set(operation.name, operation);
  }
  const names = [...byName.keys()];

  return {
    groups,
    find: (name) => byName.get(name),
    match(words) {
      for (let nameWords = Math.min(mostNameWords, words.length); nameWords > 0; nameWords -= 1) {
        const operation = byName.get(nameOf(words, nameWords));
        if (operation) return { operation, nameWords };
      }
      return undefined;
    },
    suggest(words) {
      const near = [mostNameWords, 1]
        .filter((count) => count <= words.length)
        .flatMap((count) => {
          const name = nearestName(nameOf(words, count), names);
          return name === undefined
            ? []
            : [{ name, words: count, distance: distance(nameOf(words, count), name) }];
        })
        .sort((a, b) => a.distance - b.distance)[0];
      if (near) return { name: near.name, words: near.words };
      const name = names.find((candidate) => candidate.startsWith(`${nameOf(words, 1)} `));
      return name === undefined ? undefined : { name, words: 1 };
    },
  };
}

function nameOf(words: readonly string[], count: number): string {
  return words.slice(0, count).join(' ').toLowerCase();
}
