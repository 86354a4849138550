import type { ResultReading } from '../hosting/readings/results.ts';
import { readableName } from './facts.ts';
import type { Secret } from './outcome.ts';

/** Names the secrets of a payload for people, by where they stood in it. */
export function nameSecrets(found: ResultReading['secrets']): readonly Secret[] {
  return found.map(({ path, value }) => ({ label: readableName(path) || 'Secret', value }));
}
