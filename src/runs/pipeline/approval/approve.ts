import { RackhandError } from '../../../errors.ts';
import type { MessageRef } from '../../../messages/message.ts';
import type { Denial } from '../../../operations/define/access/access.ts';
import { isConfirmed, toConfirmedState } from '../../confirmed-state.ts';
import {
  declinedProblem,
  deniedProblem,
  expiredProblem,
  notRunOwnerProblem,
  type Problem,
  selfApprovalProblem,
  toProblem,
  unreadableRunProblem,
} from '../../problem.ts';
import { createProblemEnd, type UnsuccessfulStatus, type WaitingRun } from '../../run.ts';
import type { RunReply } from '../../run-reply.ts';
import { findDenial } from '../authorize.ts';
import { toActTime, toSendDeadline } from '../in-time.ts';
import { labelShownFacts, labelUnresolvedProblem } from '../names/label-shown-vps.ts';
import type { ApprovalClick, ChangeRun, DecidedRun } from '../run-context.ts';
import { failRun, isOverdue, refuse, replyNoLongerWaiting } from '../run-ends.ts';
import type { RunRecords, RunRules, RunServices, StoredRuns } from '../run-services.ts';
import { end, type Next, next } from '../step.ts';
import { readStoredChange } from '../unreadable-runs.ts';
import { createApprovalCard, parseApprovalToken } from './approval-card.ts';
import type { ApprovalRoute } from './approval-route.ts';

/** How long people can approve a run. */
const approvalTtlMs = 15 * 60_000;

const noApproverDenial: Denial = {
  message: 'This needs approval, and no one else in this workspace has permission to approve it.',
  advice: 'Ask a workspace owner or admin to give someone else permission to approve it.',
};

/** Ends with cards if a rule asks for a second person. The click on one enters at `findApproval`. */
export async function askForApproval(
  change: ChangeRun<WaitingRun>,
  services: RunServices,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const route = await services.findApprovalRoute(change);
  return route ? requestApproval(change, route, services) : next(change);
}

/**
 * Requests approval. The run starts waiting before its cards are posted, so that each card works
 * immediately and is posted only once.
 */
async function requestApproval(
  change: ChangeRun<WaitingRun>,
  route: ApprovalRoute,
  services: RunServices,
): Promise<Next<never>> {
  const { run, operation, parsed, operationContext } = change;
  const { runs, approvalCards, withRetry, lease, now } = services;
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  const shown = await labelShownFacts(target?.facts ?? [], change);
  const request = { confirmedState: toConfirmedState(target), expiresMs: now() + approvalTtlMs };
  if (!(await runs.awaitApproval(run, request, lease(), now())))
    return end(await replyNoLongerWaiting(run, services));
  const claimed: WaitingRun = { ...run, ...request, approval: { cards: [], approverId: null } };
  let messages: readonly MessageRef[];
  try {
    const card = createApprovalCard({ ...change, run: claimed }, { facts: shown, nowMs: now() });
    messages = await approvalCards.post(card, route);
  } catch (error) {
    return end(await failRun(claimed, error, services));
  }
  if (messages.length === 0) return refuse(claimed, deniedProblem(noApproverDenial), services);
  const isSaved = await withRetry(() => runs.saveApprovalCards(run.id, messages), {
    runId: run.id,
    failure: 'could not store the approval cards of a run',
  });
  const waiting: WaitingRun = { ...claimed, approval: { cards: messages, approverId: null } };
  if (!isSaved) await closeLateCards(waiting, services);
  return end({ kind: 'started' });
}

/** Closes cards whose run was decided while they were being posted. */
async function closeLateCards({ id, approval }: WaitingRun, { runs, approvalCards }: RunServices) {
  const run = await runs.find(id);
  // If the run still waits for its cards, only the answer to storing them was lost.
  if (!run || !approval || (run.status === 'waiting' && run.approval?.cards.length)) return;
  const approverId = run.approval?.approverId ?? null;
  await approvalCards.close({ ...run, approval: { ...approval, approverId } });
}

/** Finds the run that a clicked card is about, if it can still be decided. Parses its stored input. */
export async function findApproval(click: ApprovalClick, services: RunServices): Promise<Next<DecidedRun>> {
  const { runs, catalogue, openEnvironment } = services;
  const { runId, isFor } = parseApprovalToken(click.token);
  const run = await runs.find(runId);
  if (run?.actor.teamId !== click.approver.teamId)
    return end({ kind: 'problem', problem: notRunOwnerProblem() });
  // The run reaper settles overdue runs and updates their cards.
  const isExpired = run.status === 'expired' || (run.status === 'waiting' && isOverdue(run, services));
  if (isExpired) return end({ kind: 'problem', problem: expiredProblem() });
  if (run.status !== 'waiting' || !run.approval) return end({ kind: 'duplicate' });
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'unreadable') {
    services.unreadableRuns.add(run, stored.reason);
    const problem = unreadableRunProblem({ isChanging: false });
    await settleUndecided(run, 'expired', problem, services);
    return end({ kind: 'problem', problem });
  }
  const { operation, parsed } = stored;
  const clickedMs = toActTime(click.clickedMs, services);
  return next({
    run,
    operation,
    parsed,
    sendByMs: toSendDeadline(clickedMs),
    click: { ...click, clickedMs },
    isOutdated: !isFor(run),
    approverId: click.approver.userId,
    ...openEnvironment(run),
  });
}

/** Ends if this person can't decide. Only someone else with the right to the same change can. */
export async function authorizeApprover(
  decided: DecidedRun,
  { resolveAccess, openEnvironment }: RunRules & StoredRuns,
): Promise<Next<DecidedRun>> {
  const { run, operation, parsed, click } = decided;
  const { approver } = click;
  if (approver.userId === run.actor.userId) return end({ kind: 'problem', problem: selfApprovalProblem() });
  const subject = { actor: approver, origin: run.origin };
  const denial = await findDenial(resolveAccess, subject, operation, parsed);
  if (!denial) return next(decided);
  const problem = await labelUnresolvedProblem(denial, openEnvironment(subject).operationContext);
  return end({ kind: 'problem', problem });
}

/** Refuses the run if its actor has lost the right since the request. */
export async function authorizeActorOfApproval(
  decided: DecidedRun,
  services: RunServices,
): Promise<Next<DecidedRun>> {
  const { run, operation, parsed } = decided;
  const problem = await findDenial(services.resolveAccess, run, operation, parsed);
  return problem ? end(await settleUndecided(run, 'refused', problem, services)) : next(decided);
}

/** Renews the cards and ends if the target is not in the state that the approver saw. */
export async function compareApprovedState(
  decided: DecidedRun,
  { runs, approvalCards, now }: RunServices,
): Promise<Next<DecidedRun>> {
  const { run, operation, parsed, operationContext, isOutdated } = decided;
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  if (!isOutdated && (!target || isConfirmed(run.confirmedState, target))) return next(decided);
  const messages = run.approval?.cards ?? [];
  const request = { confirmedState: toConfirmedState(target), expiresMs: now() + approvalTtlMs };
  // Cards that are still being posted can't be replaced. The approver can click again.
  if (messages.length === 0) return end({ kind: 'duplicate' });
  const isRenewed = await runs.renewApproval(run, request, now());
  // Another click may have renewed the cards.
  const renewed = isRenewed ? { ...run, ...request } : await runs.find(run.id);
  if (renewed?.status !== 'waiting' || (target && !isConfirmed(renewed.confirmedState, target)))
    return end({ kind: 'duplicate' });
  const shown = await labelShownFacts(target?.facts ?? [], decided);
  const card = createApprovalCard({ ...decided, run: renewed }, { facts: shown, nowMs: now() }, true);
  await approvalCards.update(card, messages);
  const message = 'The target has changed since you were asked. The card shows its new state.';
  const error = new RackhandError('target_changed', message);
  return end({ kind: 'problem', problem: toProblem(error, { isChanging: false }) });
}

/** Settles a run that was declined. The requester can always withdraw it. Others need the right to the change. */
export async function declineRun(decided: DecidedRun, services: RunServices): Promise<RunReply> {
  const { run, click } = decided;
  const { userId } = click.approver;
  const isOwn = userId === run.actor.userId;
  if (!isOwn) {
    const authorized = await authorizeApprover(decided, services);
    if (authorized.kind === 'end') return authorized.reply;
  }
  return settleUndecided(run, 'refused', declinedProblem(userId, isOwn), services);
}

/** Settles a run that awaits approval. Its cards and its message say why. */
async function settleUndecided(
  run: WaitingRun,
  status: UnsuccessfulStatus,
  problem: Problem,
  { settleAndShow }: RunRecords,
): Promise<RunReply> {
  const isSettled = await settleAndShow(run, ['waiting'], createProblemEnd(status, problem));
  return { kind: isSettled ? 'started' : 'duplicate' };
}
