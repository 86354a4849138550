import { closest, distance } from 'fastest-levenshtein';
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
      const counts = [mostNameWords, 1].filter((count) => count <= words.length);
      const near = counts
        .map((count) => nearest(nameOf(words, count), count, names))
        .filter(({ distance: far, name }) => far <= Math.max(1, Math.floor(name.length / 3)))
        .sort((a, b) => a.distance - b.distance)[0];
      if (near) return { name: near.name, words: near.words };
      const name = names.find((candidate) => candidate.startsWith(`${nameOf(words, 1)} `));
      return name === undefined ? undefined : { name, words: 1 };
    },
  };
}

function nearest(typed: string, words: number, names: readonly string[]) {
  const name = closest(typed, names);
  return { name, words, distance: distance(typed, name) };
}

function nameOf(words: readonly string[], count: number): string {
  return words.slice(0, count).join(' ').toLowerCase();
}
