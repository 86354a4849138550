import { vpsName } from '../../../hosting/endpoints/fields.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { parseInput } from '../../../operations/define/arguments/input.ts';
import { requiresConfirmation } from '../../../operations/define/inspect-operation.ts';
import { listNamesFor } from '../../../operations/format/label-vps.ts';
import { isConfirmed } from '../../confirmed-state.ts';
import { expiredProblem, mistypedProblem, notRunOwnerProblem, unreadableRunProblem } from '../../problem.ts';
import type { Run, WaitingRun } from '../../run.ts';
import { toActTime, toSendDeadline } from '../in-time.ts';
import { labelShownFacts } from '../names/label-shown-vps.ts';
import { toFieldsProblem } from '../names/name-problems.ts';
import { lacksReason } from '../require-reason.ts';
import type { ChangeRun, ConfirmationClick, ConfirmedRun, ValidRun } from '../run-context.ts';
import { endRun, isOverdue, replyNoLongerWaiting } from '../run-ends.ts';
import type { RunRecords, RunRules, StoredRuns } from '../run-services.ts';
import { end, type Next, next } from '../step.ts';
import { readStoredChange } from '../unreadable-runs.ts';
import { offersSnapshot, snapshotFirstInput } from './card-offers.ts';
import {
  createConfirmationCard,
  parseConfirmationToken,
  readConfirmationState,
} from './confirmation-card.ts';

/**
 * How long a confirmation card can be clicked. Also the time limit for the checks before the card is shown
 * and, by default, for reads.
 */
export const confirmationTtlMs = 10 * 60_000;

/** Ends the path with a card if the change needs confirmation. A click on the card continues with `matchTypedText`. */
export async function askToConfirm(
  change: ChangeRun<WaitingRun> & Pick<ValidRun, 'isUncertain' | 'undoneState'>,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const { operation, parsed, isUncertain, undoneState } = change;
  const isAsked = isUncertain || operation.batchOf || requiresConfirmation(operation, parsed.input);
  return isAsked || (await lacksReason(change, services))
    ? showConfirmation(change, { undoneState }, services)
    : next(change);
}

interface CardOptions {
  /** Whether the target has changed since this run's previous card. */
  readonly hasTargetChanged?: boolean;
  /** Fingerprint of the state after the change that this run undoes. Undefined if the run undoes nothing. */
  readonly undoneState?: string | undefined;
}

/** Ends the path with a card. The confirmation is bound to the target's state shown on the card. */
async function showConfirmation(
  change: ChangeRun<WaitingRun>,
  { hasTargetChanged = false, undoneState }: CardOptions,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<never>> {
  const { run } = change;
  const { runs, owner, now } = services;
  const state = await readConfirmationState(change);
  const expiresMs = now() + confirmationTtlMs;
  if (!(await runs.saveConfirmation(run, state.confirmedState, expiresMs, owner)))
    return end(await replyNoLongerWaiting(run, services));
  const shown = { ...state, facts: await labelShownFacts(state.facts, change) };
  const hasChangedSince =
    undoneState !== undefined && !isConfirmed(state.confirmedState, { fingerprint: undoneState });
  const isReasonMissing = await lacksReason(change, services);
  const confirmation = createConfirmationCard(change, shown, {
    nowMs: now(),
    hasTargetChanged,
    hasChangedSince,
    isReasonMissing,
    requiresApproval: (await services.findApprovalRoute(change)) !== undefined,
  });
  return end({ kind: 'confirmation', confirmation });
}

/** Finds a clicked card's run, if the card is still valid, and parses the stored input. */
export async function findConfirmation(
  click: ConfirmationClick,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ConfirmedRun>> {
  const { catalogue, openEnvironment } = services;
  const { runId, matchesState } = parseConfirmationToken(click.token);
  const run = await findOwnRun(runId, click.actor, services);
  if (!run) return end({ kind: 'problem', problem: notRunOwnerProblem() });
  if (run.status === 'expired') {
    // A run that was queued or awaited approval is reported by another message, not by this reply.
    const isOnlyShownHere = run.queuedMs === null && !run.approval;
    return end({ kind: 'problem', problem: expiredProblem(), ...(isOnlyShownHere && { runId }) });
  }
  // The run's own message reports what happens, so a card that is still shown is removed.
  if (run.queuedMs !== null || (run.status === 'waiting' && run.approval)) return end({ kind: 'started' });
  if (run.status !== 'waiting') return end({ kind: 'duplicate' });
  if (isOverdue(run, services)) return end(await endRun(run, 'expired', expiredProblem(), services));
  if (!matchesState(run.confirmedState)) return end({ kind: 'duplicate' });
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'unreadable') {
    services.unreadableRuns.add(run, stored.reason);
    return end(await endRun(run, 'expired', unreadableRunProblem({ isChanging: false }), services));
  }
  const { operation, parsed } = stored;
  const clickedMs = toActTime(click.clickedMs, services);
  const sendByMs = toSendDeadline(clickedMs);
  return next({
    run,
    operation,
    parsed,
    sendByMs,
    click: { ...click, clickedMs },
    ...openEnvironment(run, click),
  });
}

/** Ends the path if the typed text doesn't match the text that the operation requires. */
export async function matchTypedText(confirmed: ConfirmedRun): Promise<Next<ConfirmedRun>> {
  const { run, operation, parsed, click } = confirmed;
  const requiredText = operation.confirmation?.textToType?.(parsed.input);
  if (requiredText === undefined) return next(confirmed);
  const accepted = listNamesFor(requiredText, run.displayNames);
  return matchesTypedConfirmation(accepted, click.typed ?? '')
    ? next(confirmed)
    : end({ kind: 'problem', problem: mistypedProblem(requiredText) });
}

/**
 * Applies the choices made when confirming: a batch's pace, a reason, or a snapshot first. The choices are stored with
 * the next card, or when the run is queued.
 */
export async function applyChoices(confirmed: ConfirmedRun): Promise<Next<ConfirmedRun>> {
  const { run, operation, parsed, click } = confirmed;
  const reason = click.reason?.trim();
  const chosen = {
    ...(click.atATime !== undefined && operation.batchOf && { atATime: String(click.atATime) }),
    ...(reason && { reason }),
    ...(click.snapshotFirst && offersSnapshot(operation, parsed.input) && snapshotFirstInput),
  };
  if (Object.keys(chosen).length === 0) return next(confirmed);
  const withChoices = parseInput(operation, { ...parsed.raw, ...chosen });
  if (withChoices.kind === 'invalid')
    return end({ kind: 'problem', problem: toFieldsProblem(withChoices.problems) });
  return next({ ...confirmed, run: { ...run, input: withChoices.raw }, parsed: withChoices });
}

/** Ends the path if the card was already clicked or is out of date. */
export async function takeClick(
  confirmed: ConfirmedRun,
  { runs, lease, now }: RunRecords,
): Promise<Next<ConfirmedRun>> {
  if (!(await runs.takeClick(confirmed.run, lease(), now()))) return end({ kind: 'duplicate' });
  confirmed.click.onTaken?.();
  return next(confirmed);
}

/** Ends the path with a new card if the target's state is no longer the one that the actor saw. */
export async function compareConfirmedState(
  confirmed: ConfirmedRun,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ConfirmedRun>> {
  const { run, operation, parsed, operationContext } = confirmed;
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  return target && !isConfirmed(run.confirmedState, target)
    ? showConfirmation(confirmed, { hasTargetChanged: true }, services)
    : next(confirmed);
}

/** Ends the path with a new card if the team requires a reason and none was given. */
export async function askForMissingReason(
  confirmed: ConfirmedRun,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ConfirmedRun>> {
  return (await lacksReason(confirmed, services))
    ? showConfirmation(confirmed, {}, services)
    : next(confirmed);
}

/** Returns a run, or undefined if it isn't the actor's. */
export async function findOwnRun(
  runId: string,
  { teamId, userId }: Actor,
  { runs }: Pick<RunRecords, 'runs'>,
): Promise<Run | undefined> {
  const run = await runs.find(runId);
  return run?.actor.teamId === teamId && run.actor.userId === userId ? run : undefined;
}

/** Returns whether the typed text is accepted. In a VPS name, the prefix is case-insensitive. */
export function matchesTypedConfirmation(accepted: readonly string[], text: string): boolean {
  return accepted.map(normalize).includes(normalize(text));
}

function normalize(text: string): string {
  const trimmed = text.trim();
  return vpsName.safeParse(trimmed).data ?? trimmed;
}
