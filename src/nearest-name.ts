import { closest, distance } from 'fastest-levenshtein';

/** Returns the closest name, or undefined if more than a third of the name's characters differ. */
export function findNearestName(typed: string, names: readonly string[]): string | undefined {
  const name = closest(typed, names);
  return distance(typed, name) <= Math.max(1, Math.floor(name.length / 3)) ? name : undefined;
}
