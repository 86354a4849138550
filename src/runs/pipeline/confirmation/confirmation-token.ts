import { createHash } from 'node:crypto';

/**
 * Creates the value of a confirmation's button: the run's ID and a digest of the state on the card.
 */
export function createConfirmationToken(runId: string, state: string): string {
  return `${runId}.${digestState(state)}`;
}

/** Parses a button's value. `matchesState` says whether the card showed the given state. */
export function parseConfirmationToken(token: string): {
  runId: string;
  matchesState: (state: string | null) => boolean;
} {
  const [runId = '', digest] = token.split('.');
  return { runId, matchesState: (state) => state !== null && digestState(state) === digest };
}

function digestState(state: string): string {
  return createHash('sha256').update(state).digest('base64url').slice(0, 16);
}
