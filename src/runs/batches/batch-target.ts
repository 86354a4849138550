import { RackhandError } from '../../errors.ts';
import { toTargetInput } from '../../operations/several/batch-operation.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import { refuse } from '../pipeline/run-ends.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { type Next, next } from '../pipeline/step.ts';
import { toProblem } from '../problem.ts';
import { type BatchTarget, isSameState } from './batch-state.ts';
import { claimPart, type PartRun } from './claim-part.ts';

/** The run on one VPS of a batch. */
export interface BatchTargetRun extends PartRun {
  readonly target: BatchTarget;
}

/** Claims the run on one VPS of a batch. */
export async function claimBatchTarget(
  batch: ChangeRun,
  target: BatchTarget,
  startByMs: number,
  services: RunServices,
): Promise<Next<BatchTargetRun>> {
  const operation = batch.operation.batchOf;
  if (!operation) throw new Error('not a batch');
  const part = {
    requestKey: `batch:${batch.run.id}:${target.vps}`,
    operation,
    raw: toTargetInput(batch.run.input, target.vps),
    displayNames: { vps: target.label },
  };
  const claimed = await claimPart(batch, part, startByMs, services);
  return claimed.kind === 'end' ? claimed : next({ ...claimed.context, target });
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
