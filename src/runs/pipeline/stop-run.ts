import type { Actor } from '../../operations/define/access/actor.ts';
import { notRunOwnerProblem, type Problem } from '../problem.ts';
import { findDenial } from './authorize.ts';
import type { RunServices } from './run-services.ts';
import { readStoredChange } from './unreadable-runs.ts';

/**
 * Cancels a change that waits for the quota, or stops a batch: its remaining changes don't begin. Its
 * requester can do so, and so can anyone who is allowed to run the same operation. Returns why the actor
 * can't, or undefined.
 */
export async function stopRun(
  runId: string,
  actor: Actor,
  { runs, catalogue, resolveAccess, activeRuns }: RunServices,
): Promise<Problem | undefined> {
  const run = await runs.find(runId);
  if (run?.actor.teamId !== actor.teamId) return notRunOwnerProblem();
  if (run.actor.userId !== actor.userId) {
    const stored = readStoredChange(run, catalogue);
    if (stored.kind === 'unreadable') return notRunOwnerProblem();
    const { origin, displayNames } = run;
    const subject = { actor, origin, ...(displayNames && { displayNames }) };
    const denial = await findDenial(resolveAccess, subject, stored.operation, stored.parsed);
    if (denial) return denial;
  }
  await runs.stop(runId, actor.userId);
  activeRuns.cancelWaitingCalls(runId);
  return undefined;
}
