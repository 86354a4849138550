import type { Run } from '../../run.ts';
import type { Lease } from '../../store/run-leases.ts';
import type { RunStore } from '../../store/run-store.ts';
import { parseConfirmationToken } from './confirmation-token.ts';

/** Returns the run if its current card is the one with this token. */
export async function findRunOfCard(token: string, runs: Pick<RunStore, 'find'>): Promise<Run | undefined> {
  const { runId, matchesState } = parseConfirmationToken(token);
  const run = await runs.find(runId);
  return run && matchesState(run.confirmedState) ? run : undefined;
}

/**
 * Makes a process the owner of a run whose card is about to lose its buttons. Returns false if the run
 * no longer waits for this confirmation: it was confirmed, or a newer card has replaced this one.
 */
export async function ownConfirmation(
  token: string,
  runs: Pick<RunStore, 'find' | 'ownConfirmation'>,
  lease: Lease,
): Promise<boolean> {
  const run = await findRunOfCard(token, runs);
  return run !== undefined && runs.ownConfirmation(run, lease);
}
