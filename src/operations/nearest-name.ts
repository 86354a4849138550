import { closest, distance } from 'fastest-levenshtein';

/** Finds the name that was probably meant: the nearest, as long as at most a third of it would have to change. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const name = closest(written, names);
  return distance(written, name) <= Math.max(1, Math.floor(name.length / 3)) ? name : undefined;
}
