import { RackhandError } from '../../errors.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Fact, NextStep } from '../../operations/define/outcome.ts';
import { toProblem } from '../problem.ts';
import { createProblemEnd, type Run, type RunSettlement } from '../run.ts';
import { type BatchTarget, findPhase, formatCounts, isReasonToStop, listTargetFacts } from './batch-state.ts';

/** Why a batch stopped early. */
export type StopReason =
  | { readonly kind: 'person'; readonly userId: string }
  | { readonly kind: 'failure'; readonly label: string }
  | { readonly kind: 'late' | 'interrupted' };

/**
 * Returns how a batch ended. The batch succeeded only if every VPS is done; unless the batch was stopped
 * early, `unseen` counts as done.
 */
export function createBatchEnd(
  batch: Run,
  inner: ChangeOperation,
  targets: readonly BatchTarget[],
  stop: StopReason | undefined,
  nowMs: number,
): RunSettlement {
  const phases = targets.map((target) => findPhase(target, inner, nowMs));
  const facts = listTargetFacts(targets, inner, { isOver: true, nowMs });
  const counts = `${formatCounts(phases, true)}.`;
  if (phases.every((phase) => phase === 'done' || (phase === 'unseen' && !stop)))
    return { status: 'done', result: { kind: 'outcome', outcome: { title: counts, facts } } };
  const open = targets.filter(({ run }) => run?.status !== 'done' && run?.status !== 'unknown');
  const isAnyUnknown = targets.some(({ run }) => run?.status === 'unknown');
  const failed = phases.filter(isReasonToStop).length;
  const hasOpen = phases.includes('open');
  const problem = toProblem(
    new RackhandError('batch_incomplete', describeStop(hasOpen ? stop : undefined, failed, targets.length)),
    { isChanging: false },
  );
  return createProblemEnd('failed', {
    ...problem,
    changed: counts,
    ...(isAnyUnknown && {
      advice: 'Check the VPS with an unknown outcome before you run anything on them again.',
    }),
    facts: [...personFacts(stop), ...facts],
    nextSteps: restSteps(batch, open),
  });
}

function describeStop(stop: StopReason | undefined, failed: number, all: number): string {
  switch (stop?.kind) {
    case 'person':
      return 'This was stopped. The rest did not start.';
    case 'failure':
      return `${stop.label} did not succeed, so the rest did not start.`;
    case 'late':
      return 'This ran for an hour, which is the limit. The rest did not start.';
    case 'interrupted':
      return 'Rackhand was down for too long. The rest did not start.';
    default:
      return `${failed} of ${all} did not succeed.`;
  }
}

function personFacts(stop: StopReason | undefined): readonly Fact[] {
  return stop?.kind === 'person'
    ? [{ label: 'Stopped by', value: { kind: 'person', person: stop.userId } }]
    : [];
}

/** Returns a step that runs the operation on the VPS that certainly weren't changed. */
function restSteps({ operation, input }: Run, open: readonly BatchTarget[]): readonly NextStep[] {
  if (open.length === 0) return [];
  return [{ label: 'Run the Rest', operation, input: { ...input, targets: open.map(({ vps }) => vps) } }];
}
