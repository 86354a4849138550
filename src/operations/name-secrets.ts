import type { ResultReading } from '../hosting/readings/results.ts';
import { readableName } from './facts.ts';
import type { Secret } from './outcome.ts';

/** Names the secrets of a payload for people, by where they stood in it, as far as that tells them apart. */
export function nameSecrets(found: ResultReading['secrets']): readonly Secret[] {
  const common = commonDepth(found.map(({ path }) => path));
  return found.map(({ path, value }) => ({ label: readableName(path.slice(common)) || 'Secret', value }));
}

/** Counts the places that several paths begin with alike, before the last of each. */
function commonDepth([first = [], ...others]: readonly (readonly string[])[]): number {
  if (others.length === 0) return 0;
  const most = Math.min(...[first, ...others].map(({ length }) => length - 1));
  const differs = first.findIndex((place, depth) => others.some((other) => other[depth] !== place));
  return Math.max(0, differs === -1 ? most : Math.min(differs, most));
}
