import { isCancelled, isStopped, RackhandError } from '../../../errors.ts';
import type { CallData } from '../../../hosting/client/hosting-client.ts';
import type { Endpoint } from '../../../hosting/endpoints/endpoint.ts';
import { denyUncheckedPerson } from '../../../operations/define/access/access.ts';
import { resolveEndpoint } from '../../../operations/define/inspect-operation.ts';
import {
  cancelledProblem,
  deniedProblem,
  type Problem,
  parentEndedProblem,
  toProblem,
  tryAgain,
} from '../../problem.ts';
import { type ActiveRun, createProblemEnd } from '../../run.ts';
import { findDenial } from '../authorize.ts';
import type { ChangeRun } from '../run-context.ts';
import type { RunExecution, RunRecords, RunRules } from '../run-services.ts';
import { end, type Next, next } from '../step.ts';
import { settleUnsuccessful } from './failed-call.ts';

export interface AnsweredRun extends ChangeRun {
  readonly data: CallData<Endpoint>;
}

type SendServices = RunRecords & RunRules & RunExecution;

/** Thrown if a queued run is no longer allowed. Nothing was sent. */
class SendDeniedError extends Error {
  override readonly name = 'SendDeniedError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Acquires a slot, authorizes the run again, marks it as sent, and makes the call. Ends the path if the call didn't
 * succeed: the run is then settled, or stays queued for the next process. No other code makes calls that change
 * anything.
 */
export async function send(change: ChangeRun<ActiveRun>, services: SendServices): Promise<Next<AnsweredRun>> {
  const { operation, parsed, hosting } = change;
  const { runs, assertServiceAnswers, log } = services;
  let { run } = change;
  /** Whether the current attempt has passed its checks. Earlier attempts certainly weren't sent. */
  let canBeSent = false;
  try {
    assertServiceAnswers();
    const signal = services.activeRuns.cancelSignal(run.id);
    const data = await hosting.call(
      resolveEndpoint(operation, parsed.input),
      operation.request(parsed.input),
      {
        lane: 'people',
        caller: run.actor.userId,
        notAfterMs: change.sendByMs,
        ...(signal && { signal }),
        onQueued: (waitMs, waitReason) =>
          void runs
            .showView(run, { wait: { waitMs, waitReason } })
            .catch((error) => log.error({ err: error, runId: run.id }, "the wait of a run can't be shown")),
        async beforeSend() {
          canBeSent = false;
          run = await begin({ ...change, run }, services);
          canBeSent = true;
        },
      },
    );
    return next({ ...change, run, data });
  } catch (error) {
    // A stop or a cancellation rejects only calls that are waiting for a slot.
    const wasSent = canBeSent && !isStopped(error) && !isCancelled(error);
    await handleFailure(error, { ...change, run }, services, { wasSent });
    return end({ kind: 'started' });
  }
}

/**
 * Authorizes a queued run with parts again and marks it as sent, although only its parts make calls. If the run is no
 * longer allowed, settles it and returns undefined.
 */
export async function beginParts(
  change: ChangeRun<ActiveRun>,
  services: SendServices,
): Promise<ChangeRun<ActiveRun> | undefined> {
  if (change.run.status === 'sent') return change;
  try {
    return { ...change, run: await begin(change, services) };
  } catch (error) {
    await handleFailure(error, change, services, { wasSent: false });
    return undefined;
  }
}

/** Makes the final checks, and marks the run as sent. Throws if a check fails. */
async function begin(change: ChangeRun<ActiveRun>, services: SendServices): Promise<ActiveRun> {
  services.assertServiceAnswers();
  await authorizeAgain(change, services);
  await markSent(change.run, services);
  return { ...change.run, status: 'sent' };
}

/**
 * Throws if the run is no longer allowed. While it waits, its actor or approver can lose a right or leave the
 * workspace, or an admin can add a rule that requires approval.
 */
async function authorizeAgain(change: ChangeRun<ActiveRun>, services: RunRules): Promise<void> {
  const { run, operation, parsed } = change;
  const denial = await findDenial(services.resolveAccess, run, operation, parsed);
  if (denial) throw new SendDeniedError(offerRetryIfUnknown(denial, run));
  const approverId = run.approval?.approverId ?? null;
  // A schedule is approved once, for all its occurrences.
  if (approverId !== null && run.origin.schedule === undefined) {
    const approver = { ...run, actor: { ...run.actor, userId: approverId } };
    const approverDenial = await findDenial(services.resolveAccess, approver, operation, parsed);
    if (approverDenial?.code === 'member_unknown') {
      const problem = deniedProblem(denyUncheckedPerson('the person who approved this'));
      throw new SendDeniedError(offerRetryIfUnknown(problem, run));
    }
    // Only an admin can break the glass.
    const isBrokenGlass = approverId === run.actor.userId;
    const isNoAdmin =
      isBrokenGlass && (await services.resolveAccess(run.actor, {}))({ right: 'admin', vps: [] });
    if (approverDenial || isNoAdmin) {
      const message = 'The person who approved this is no longer allowed to approve it.';
      const advice = 'Run the command again to ask for approval.';
      throw new SendDeniedError(deniedProblem({ message, advice }));
    }
  }
  if (approverId === null && (await services.findApprovalRoute(change))) {
    const message = 'A new rule requires approval for this. It was added while the request was queued.';
    const advice = 'Run the command again to ask for approval.';
    throw new SendDeniedError(deniedProblem({ message, advice }));
  }
}

function offerRetryIfUnknown(problem: Problem, { operation, input }: ActiveRun): Problem {
  if (problem.code !== 'member_unknown') return problem;
  return { ...problem, nextSteps: [{ label: tryAgain, operation, input }] };
}

/**
 * Marks the run as sent. Throws if this process no longer owns the run, or if the run has expired or was settled by
 * another process. Also throws for a part whose parent was stopped or has ended.
 */
async function markSent(run: ActiveRun, services: RunRecords): Promise<void> {
  const { runs, owner, now } = services;
  const { id, status, batchId } = run;
  if (await runs.markSent(id, status, owner, now())) return;
  const parent = batchId === undefined ? undefined : await runs.find(batchId);
  if (parent?.stoppedBy !== undefined) throw new SendDeniedError(cancelledProblem());
  if (parent && parent.status !== 'sent') throw new SendDeniedError(parentEndedProblem());
  throw new RackhandError('deadline_passed', "The request couldn't be sent in time.");
}

async function handleFailure(
  error: unknown,
  change: ChangeRun<ActiveRun>,
  services: SendServices,
  { wasSent }: { readonly wasSent: boolean },
): Promise<void> {
  const { run } = change;
  // The run stays queued, and the next process sends it.
  if (isStopped(error) && run.status === 'queued') return;
  if (isCancelled(error)) {
    const problem = toProblem(error, { isChanging: false });
    await services.settleAndShow(run, [run.status], createProblemEnd('refused', problem));
    return;
  }
  if (error instanceof SendDeniedError) {
    await services.settleAndShow(run, [run.status], createProblemEnd('refused', error.problem));
    return;
  }
  await settleUnsuccessful(error, change, services, { wasSent });
}
