import type { Actor } from '../../operations/define/access/actor.ts';
import { findDenial } from '../pipeline/access.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { readStoredChange } from '../pipeline/unreadable-runs.ts';
import { notRunOwnerProblem, type Problem } from '../problem.ts';

/**
 * Stops a batch: none of its other changes begin. Its requester can do that, and anyone who is allowed to do
 * the same. Returns why somebody else can't.
 */
export async function stopBatch(
  runId: string,
  actor: Actor,
  { runs, catalogue, resolveAccess }: RunServices,
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
  await runs.stopBatch(runId, actor.userId);
  return undefined;
}
