import type { Actor } from '../../operations/define/access/actor.ts';
import { cancelledProblem, declinedProblem, notRunOwnerProblem, type Problem } from '../problem.ts';
import { createProblemEnd } from '../run.ts';
import { findDenial } from './authorize.ts';
import { findOwnRun } from './confirmation/confirm.ts';
import { parseConfirmationToken } from './confirmation/confirmation-card.ts';
import type { RunExecution, RunRecords, RunRules, StoredRuns } from './run-services.ts';
import { readStoredChange } from './unreadable-runs.ts';

/**
 * Cancels a change that waits for the quota, or stops a batch from starting its remaining changes. Allowed for the
 * requester and anyone who can run the same operation. Returns why the actor isn't allowed to, or undefined.
 */
export async function stopRun(
  runId: string,
  actor: Actor,
  { runs, catalogue, resolveAccess, activeRuns }: RunRecords & RunRules & StoredRuns & RunExecution,
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

/**
 * Handles the requester's click on Cancel, on a card or in the notice that a run is waiting for the quota.
 * Does nothing once the call is sent.
 */
export async function cancelRun(
  token: string,
  actor: Actor,
  services: RunRecords & RunExecution,
): Promise<void> {
  const run = await findOwnRun(parseConfirmationToken(token).runId, actor, services);
  if (!run || services.activeRuns.cancelWaitingCalls(run.id)) return;
  // The process that executes the run will soon notice the stop.
  if (run.status === 'queued') await services.runs.stop(run.id, actor.userId);
  if (run.status !== 'waiting') return;
  if (run.approval) {
    const problem = declinedProblem(actor.userId, true);
    await services.settleAndShow(run, ['waiting'], createProblemEnd('refused', problem));
  } else {
    await services.settleReported(run, createProblemEnd('refused', cancelledProblem()));
  }
}
