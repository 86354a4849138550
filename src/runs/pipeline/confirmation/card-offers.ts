import type { Input } from '../../../operations/define/arguments/input.ts';
import { resolveEffect } from '../../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../../operations/define/operation.ts';
import type { BatchInput } from '../../../operations/several/batch-operation.ts';
import type { Run } from '../../run.ts';
import type { Confirmation } from '../../run-reply.ts';

/** Returns whether to offer a snapshot of the VPS before a change that deletes its data. */
export function offersSnapshot(operation: ChangeOperation, input: Input): boolean {
  return (
    operation.confirmation?.losesData === true &&
    !operation.batchOf &&
    resolveEffect(operation, input) === 'destroy'
  );
}

export const snapshotFirstNote =
  'A snapshot is taken first. The change begins only if the snapshot is complete within an hour.';

export const snapshotFirstInput = { snapshotFirst: 'yes' };

export function isSnapshotFirst({ input }: Pick<Run, 'input'>): boolean {
  return input.snapshotFirst === snapshotFirstInput.snapshotFirst;
}

/** Returns the pace that a card offers besides running all at once. */
const toOfferedPace = (targets: number) => Math.min(2, targets - 1);

/** Offers to run a batch a few VPS at a time, unless the command states a pace. */
export function offerPace(operation: ChangeOperation, input: unknown): Pick<Confirmation, 'pace'> {
  if (!operation.batchOf) return {};
  const { targets, atATime: statedPace } = input as BatchInput;
  if (statedPace !== undefined || targets.length < 2) return {};
  const atATime = toOfferedPace(targets.length);
  return { pace: { button: `${atATime} at a Time`, atATime } };
}

/** Describes, for each pace that the card offers, when the VPS begin and what a failure means for the other VPS. */
export function describePace(operation: ChangeOperation, input: unknown): readonly string[] {
  if (!operation.batchOf) return [];
  const { targets, atATime } = input as BatchInput;
  const paced = (number: number) =>
    `${number} at a time: the next VPS begins when one is done. After a failure, no more VPS begin.`;
  if (atATime !== undefined) return [paced(atATime)];
  const all = 'All: each VPS begins as soon as the quota allows. If one fails, the others continue.';
  return targets.length < 2 ? [all] : [all, paced(toOfferedPace(targets.length))];
}
