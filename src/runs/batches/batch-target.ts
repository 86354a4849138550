import { RackhandError } from '../../errors.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import { toTargetInput } from '../../operations/several/batch-operation.ts';
import { claim, createTitle } from '../pipeline/claim.ts';
import { toSendDeadline } from '../pipeline/in-time.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import { refuse } from '../pipeline/run-ends.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { type Next, next } from '../pipeline/step.ts';
import { toProblem } from '../problem.ts';
import type { WaitingRun } from '../run.ts';
import { type BatchTarget, isSameState } from './batch-state.ts';

/** The run on one VPS of a batch. */
export interface BatchTargetRun extends ChangeRun<WaitingRun> {
  readonly target: BatchTarget;
  /** The person who approved the batch. */
  readonly batchApproverId: string | undefined;
}

/** Claims the run on one VPS of a batch. Its request key makes it the only one. */
export async function claimBatchTarget(
  batch: ChangeRun,
  target: BatchTarget,
  startByMs: number,
  services: RunServices,
): Promise<Next<BatchTargetRun>> {
  const inner = batch.operation.batchOf;
  if (!inner) throw new Error('not a batch');
  const { id: batchId, actor, origin, input, approval } = batch.run;
  const parsed = parseInput(inner, toTargetInput(input, target.vps));
  if (parsed.kind === 'invalid') throw new Error('the input of a batch no longer fits its operation');
  const requestKey = `batch:${batchId}:${target.vps}`;
  const claimed = await claim({ requestKey, operation: inner, parsed, actor, origin, batchId }, services);
  if (claimed.kind === 'end') return claimed;
  const { run: created } = claimed.context;
  if (created.status !== 'waiting') throw new Error('a change waits until it was checked');
  const displayNames = { vps: target.label };
  const known = {
    input: parsed.raw,
    target: inner.target(parsed.input),
    title: createTitle(inner, parsed, displayNames),
    displayNames,
  };
  const run = { ...created, ...known };
  await services.runs.saveResolvedInput(run.id, known);
  return next({
    ...claimed.context,
    run,
    operation: inner,
    parsed,
    sendByMs: Math.min(startByMs, toSendDeadline(services.now())),
    target,
    batchApproverId: approval?.approverId ?? undefined,
  });
}

/** Refuses the run if its VPS is no longer in the state that the card showed. */
export async function compareBatchState(
  change: BatchTargetRun,
  services: RunServices,
): Promise<Next<BatchTargetRun>> {
  const { run, operation, parsed, operationContext, target } = change;
  const { facts = [] } = (await operation.readTargetState?.(operationContext, parsed.input)) ?? {};
  const value = facts.find(({ label }) => label === 'State')?.value;
  const state = typeof value === 'object' && value.kind === 'state' ? value.state : undefined;
  const { shownState } = target;
  const isKnown = shownState !== undefined && state !== undefined && state !== 'not shown';
  if (!isKnown || isSameState(shownState, state)) return next(change);
  const message = `${target.label} was ${shownState} on the card and is ${state} now.`;
  const problem = toProblem(new RackhandError('target_changed', message), { isChanging: false });
  return refuse(run, problem, services);
}

/** Records who approved the batch, so that the run counts as approved too. */
export async function applyBatchApproval(
  change: BatchTargetRun,
  { runs, lease, now }: RunServices,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const { run, batchApproverId } = change;
  if (batchApproverId === undefined) return next(change);
  const request = { confirmedState: '', expiresMs: run.expiresMs ?? now() };
  await runs.awaitApproval(run, request, lease(), now());
  return next({
    ...change,
    run: { ...run, ...request, approval: { cards: [], approverId: null } },
    approverId: batchApproverId,
  });
}
