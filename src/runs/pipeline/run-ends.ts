import { isCancelled, isStopped, RackhandError } from '../../errors.ts';
import { DeniedError } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { toVpsLabels } from '../../operations/format/label-vps.ts';
import {
  cancelledProblem,
  expiredProblem,
  findKeyRemedy,
  interruptedProblem,
  isOutcomeUnknown,
  keyRequiredAccess,
  type Problem,
  personalizeKeyRemedy,
  toProblem,
} from '../problem.ts';
import { createProblemEnd, type Run, type UnsuccessfulStatus } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import { labelProblem } from './names/label-shown-vps.ts';
import type { RunRecords, RunRules, StoredRuns } from './run-services.ts';
import { end, type Next } from './step.ts';

/**
 * Settles a run and replies with the problem. Replies `duplicate` if the run's state has changed since it was read. A
 * read's end is recorded once the reply is sent.
 */
export async function endRun(
  run: Run,
  status: UnsuccessfulStatus,
  problem: Problem,
  { settle, catalogue }: RunRecords & StoredRuns,
): Promise<RunReply> {
  const shown = labelProblem(problem, toVpsLabels(run.displayNames));
  const end = createProblemEnd(status, shown);
  if (catalogue.find(run.operation)?.kind === 'read')
    return { kind: 'problem', problem: shown, runId: run.id, unrecorded: { run, end } };
  const isSettled = await settle(run, [run.status], end);
  return isSettled ? { kind: 'problem', problem: shown, runId: run.id } : { kind: 'duplicate' };
}

/** Ends a path, because the run isn't allowed or its input isn't valid. */
export async function refuse(
  run: Run,
  problem: Problem,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<never>> {
  return end(await endRun(run, 'refused', problem, services));
}

export const restartedMessage = 'Rackhand restarted before it finished this request.';

/** Settles a failed run and replies with the problem. A person who cancelled gets no reply. */
export async function failRun(
  run: Run,
  error: unknown,
  services: RunRecords & RunRules & StoredRuns,
  { isChanging }: { readonly isChanging: boolean } = { isChanging: false },
): Promise<RunReply> {
  if (isCancelled(error)) {
    await services.settleReported(run, createProblemEnd('refused', cancelledProblem()));
    return { kind: 'duplicate' };
  }
  if (isStopped(error) && !isChanging)
    return endRun(run, 'expired', interruptedProblem(restartedMessage, { isChanging }, run), services);
  const problem = await logProblem(run, error, services, { isChanging });
  const status = isOutcomeUnknown(problem) ? 'unknown' : error instanceof DeniedError ? 'refused' : 'failed';
  return endRun(run, status, problem, services);
}

/** Logs an error. Returns the problem as the run's actor, or `reader` if given, should see it. */
export async function logProblem(
  { id: runId, actor, origin }: Run,
  error: unknown,
  services: RunRecords & RunRules & StoredRuns,
  { isChanging, reader = actor }: { readonly isChanging: boolean; readonly reader?: Actor },
): Promise<Problem> {
  const { log } = services;
  if (error instanceof RackhandError) log.info({ runId, reason: error.label }, 'a run failed');
  else log.error({ err: error, runId }, 'a run failed unexpectedly');
  return addKeyRemedy({ actor: reader, origin }, toProblem(error, { isChanging }), services);
}

/** Keeps the button that fixes the API key only for people who are allowed to change the key. */
async function addKeyRemedy(
  { actor, origin }: Pick<Run, 'actor' | 'origin'>,
  problem: Problem,
  { resolveAccess }: RunRules,
): Promise<Problem> {
  if (!findKeyRemedy(problem.code)) return problem;
  try {
    const denial = (await resolveAccess(actor, origin))(keyRequiredAccess);
    return personalizeKeyRemedy(problem, denial === undefined);
  } catch {
    // Access can't be checked right now, so the problem is reported unchanged.
    return problem;
  }
}

/** Replies for a run that is no longer `waiting` or has waited too long. */
export async function replyNoLongerWaiting(
  run: Run,
  services: RunRecords & RunRules & StoredRuns,
): Promise<RunReply> {
  if (!isOverdue(run, services)) return { kind: 'duplicate' };
  // The run reaper settles a run that awaits approval, and updates its cards.
  return run.approval
    ? { kind: 'problem', problem: expiredProblem() }
    : endRun(run, 'expired', expiredProblem(), services);
}

export function isOverdue({ expiresMs }: Run, { now }: Pick<RunRecords, 'now'>): boolean {
  return (expiresMs ?? 0) <= now();
}
