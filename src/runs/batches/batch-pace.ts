import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { BatchInput } from '../../operations/several/batch-operation.ts';
import type { Confirmation } from '../run-reply.ts';

/** The pace that a card offers besides all at once. */
const offeredPace = 2;

/** Offers to run a batch some VPS at a time, if its command states no pace. */
export function offerPace(operation: ChangeOperation, input: unknown): Pick<Confirmation, 'pace'> {
  if (!operation.batchOf) return {};
  const { targets, atATime } = input as BatchInput;
  if (atATime !== undefined || targets.length <= offeredPace) return {};
  return { pace: { button: `${offeredPace} at a Time`, atATime: offeredPace } };
}

/** Formats the order of a batch's changes, and the consequence of a failure for the other VPS. */
export function describePace(operation: ChangeOperation, input: unknown): readonly string[] {
  if (!operation.batchOf) return [];
  const { targets, atATime } = input as BatchInput;
  const paced = (number: number) =>
    `${number} at a time: the next one begins when one is done. After the first failure, no other begins.`;
  if (atATime !== undefined) return [paced(atATime)];
  const all = 'All: each begins as soon as the quota allows. A failure stops no other.';
  return targets.length > offeredPace ? [all, paced(offeredPace)] : [all];
}
