import { closest, distance } from 'fastest-levenshtein';
import type { Operation } from './operation.ts';

export interface Group {
  readonly heading: string;
  readonly operations: readonly Operation[];
}

/** Everything that a person can do, to be looked up, suggested and explained. */
export interface Catalogue {
  readonly groups: readonly Group[];
  /** Finds the operation of exactly this name. */
  find(name: string): Operation | undefined;
  /** Finds the operation that the words begin with, and how many of them are its name. */
  match(words: readonly string[]): { operation: Operation; nameWords: number } | undefined;
  /** Finds the name that was probably meant, if any is near. */
  suggest(words: readonly string[]): string | undefined;
}

/** Longest name of an operation, in words. */
const mostNameWords = 2;

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
      const tries = [2, 1].map((count) => nameOf(words, count)).filter((name) => name !== '');
      const near = tries
        .map((name) => ({ name, meant: closest(name, names) }))
        .map(({ name, meant }) => ({
          meant,
          distance: distance(name, meant),
          most: Math.max(1, Math.floor(meant.length / 3)),
        }))
        .filter((candidate) => candidate.distance <= candidate.most)
        .sort((a, b) => a.distance - b.distance)[0];
      return near?.meant ?? names.find((name) => name.startsWith(`${nameOf(words, 1)} `));
    },
  };
}

function nameOf(words: readonly string[], count: number): string {
  return words.slice(0, count).join(' ').toLowerCase();
}
