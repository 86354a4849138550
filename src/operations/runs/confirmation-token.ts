import { createHash } from 'node:crypto';

/** Makes what the button of a confirmation carries: the run, and a digest of the state that the card shows. */
export function confirmationToken(runId: string, shown: string): string {
  return `${runId}.${digest(shown)}`;
}

/** Reads what a button carries; `isFor` tells whether its card showed that state. */
export function readConfirmationToken(token: string): {
  runId: string;
  isFor: (shown: string | null) => boolean;
} {
  const [runId = '', shownDigest] = token.split('.');
  return { runId, isFor: (shown) => shown !== null && digest(shown) === shownDigest };
}

function digest(state: string): string {
  return createHash('sha256').update(state).digest('base64url').slice(0, 16);
}
