import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { BatchInput } from '../../operations/several/batch-operation.ts';
import type { Confirmation } from '../run-reply.ts';

/** Returns the pace that a card offers besides all at once. */
const toOfferedPace = (targets: number) => Math.min(2, targets - 1);

/** Offers to run a batch some VPS at a time, if its command states no pace. */
export function offerPace(operation: ChangeOperation, input: unknown): Pick<Confirmation, 'pace'> {
  if (!operation.batchOf) return {};
  const { targets, atATime: statedPace } = input as BatchInput;
  if (statedPace !== undefined || targets.length < 2) return {};
  const atATime = toOfferedPace(targets.length);
  return { pace: { button: `${atATime} at a Time`, atATime } };
}

/** Formats the order of a batch's changes, and the consequence of a failure for the other VPS. */
export function describePace(operation: ChangeOperation, input: unknown): readonly string[] {
  if (!operation.batchOf) return [];
  const { targets, atATime } = input as BatchInput;
  const paced = (number: number) =>
    `${number} at a time: the next one begins when one is done. After the first failure, no other begins.`;
  if (atATime !== undefined) return [paced(atATime)];
  const all = 'All: each begins as soon as the quota allows. If one fails, the others continue.';
  return targets.length < 2 ? [all] : [all, paced(toOfferedPace(targets.length))];
}
