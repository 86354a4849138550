import { distance } from 'fastest-levenshtein';

/** Suggests names that differ in at most a third of their letters, and never in more than three. */
const maxDistance = 3;

/** Returns the known name that is closest to a misspelled one, or undefined if none is close. */
export function findNearestName(name: string, known: Iterable<string>): string | undefined {
  let nearest: { readonly name: string; readonly letters: number } | undefined;
  for (const candidate of known) {
    const letters = distance(name.toLowerCase(), candidate.toLowerCase());
    if (letters > Math.min(maxDistance, name.length / 3)) continue;
    if (!nearest || letters < nearest.letters) nearest = { name: candidate, letters };
  }
  return nearest?.name;
}
