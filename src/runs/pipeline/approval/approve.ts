import { RackhandError } from '../../../errors.ts';
import type { Denial } from '../../../operations/define/access/access.ts';
import { isConfirmed } from '../../confirmed-state.ts';
import {
  declinedProblem,
  deniedProblem,
  expiredProblem,
  type Problem,
  toProblem,
  unreadableRunProblem,
} from '../../problem.ts';
import { createProblemEnd, type UnsuccessfulStatus, type WaitingRun } from '../../run.ts';
import { isInThread, toRunMessageKey } from '../../run-messages.ts';
import type { RunReply } from '../../run-reply.ts';
import { toSendDeadline } from '../in-time.ts';
import type { ApprovalClick, ChangeRun, DecidedRun } from '../run-context.ts';
import { isOverdue, refuse, replyNoLongerWaiting } from '../run-ends.ts';
import type { RunRecords, RunServices } from '../run-services.ts';
import { end, type Next, next } from '../step.ts';
import { readStoredChange } from '../unreadable-runs.ts';
import { createApprovalRequest } from './approval-request.ts';

const noApproverDenial: Denial = {
  message: 'This needs approval, and no one else in this workspace has permission to approve it.',
  advice: 'Ask a workspace owner or admin to give someone else permission to approve it.',
};

const noAnswerDenial: Denial = {
  message: "This needs approval, and Slack didn't say who can approve it.",
  advice: 'Try again in a minute.',
};

/** Ends the path with cards if a rule requires approval. A click on a card continues with `findApproval`. */
export async function askForApproval(
  change: ChangeRun<WaitingRun>,
  services: RunServices,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const { run, operation, parsed, operationContext } = change;
  const { runs, approvals, findApprovalRoute, now } = services;
  const route = await findApprovalRoute(change);
  if (!route) return next(change);
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  const request = await createApprovalRequest(change, target, now());
  // One message in the channel is enough, so the run's own message begins as the card.
  const isOwnMessage = !isInThread(run) && route.channel === run.origin.channel;
  const details = { ...request.details, ...(isOwnMessage && { messageKey: toRunMessageKey(run.id) }) };
  const prepared = await approvals.prepare({ ...request, details, route });
  if (prepared.kind !== 'ready') {
    const denial = prepared.kind === 'nobody' ? noApproverDenial : noAnswerDenial;
    return refuse(run, deniedProblem(denial), services);
  }
  const waiting = { ...request, askId: prepared.id, isShown: !isOwnMessage };
  if (!(await runs.awaitApproval(run, waiting, prepared.put, now())))
    return end(await replyNoLongerWaiting(run, services));
  return end({ kind: 'started' });
}

/** Finds a clicked card's run, if it still awaits a decision, and parses the stored input. */
export async function findApproval(click: ApprovalClick, services: RunServices): Promise<Next<DecidedRun>> {
  const { runs, catalogue, openEnvironment, now } = services;
  const run = await runs.find(click.runId);
  if (run?.status !== 'waiting' || !run.approval) return end({ kind: 'duplicate' });
  // The run reaper settles overdue runs and updates their approval cards.
  if (isOverdue(run, services)) return end({ kind: 'problem', problem: expiredProblem() });
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'unreadable') {
    services.unreadableRuns.add(run, stored.reason);
    const problem = unreadableRunProblem({ isChanging: false });
    await settleUndecided(run, 'expired', problem, services);
    return end({ kind: 'problem', problem });
  }
  const { operation, parsed } = stored;
  return next({
    run,
    operation,
    parsed,
    sendByMs: toSendDeadline(now()),
    click: { ...click, isOutdated: click.isOutdated || !click.isFor(run) },
    approverId: click.approver.userId,
    ...openEnvironment(run),
  });
}

/** Renews the cards and ends the path if the target's state is no longer the one that the approver saw. */
export async function compareApprovedState(
  decided: DecidedRun,
  { runs, approvals, now }: RunServices,
): Promise<Next<DecidedRun>> {
  const { run, operation, parsed, operationContext, click } = decided;
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  if (!click.isOutdated && (!target || isConfirmed(run.confirmedState, target))) {
    const { reason } = click;
    return next({ ...decided, run: { ...run, input: { ...run.input, ...(reason && { reason }) } } });
  }
  const note = 'The target has changed since you were asked. Check it before you approve.';
  const request = await createApprovalRequest(decided, target, now(), [note]);
  const askId = run.approval?.askId ?? '';
  const isRenewed = await runs.renewApproval(run, request, now(), (transaction) =>
    approvals.renew(askId, request, transaction),
  );
  // Another click may have renewed the cards.
  if (!isRenewed && (await runs.find(run.id))?.status !== 'waiting') return end({ kind: 'duplicate' });
  const message = 'The target has changed since you were asked. The request shows its new state.';
  const error = new RackhandError('target_changed', message);
  return end({ kind: 'problem', problem: toProblem(error, { isChanging: false }) });
}

export async function declineRun({ run, click }: DecidedRun, services: RunServices): Promise<RunReply> {
  const { userId } = click.approver;
  const problem = declinedProblem(userId, userId === run.actor.userId);
  return settleUndecided(run, 'refused', problem, services);
}

/** Settles a run that awaits approval. The run's approval cards and message say why. */
async function settleUndecided(
  run: WaitingRun,
  status: UnsuccessfulStatus,
  problem: Problem,
  { settleAndShow }: RunRecords,
): Promise<RunReply> {
  const isSettled = await settleAndShow(run, ['waiting'], createProblemEnd(status, problem));
  return { kind: isSettled ? 'started' : 'duplicate' };
}
