import type { Fact } from '../operations/define/outcome.ts';
import { isSnapshotFirst } from './parts/snapshot-first.ts';
import type { Run } from './run.ts';

/** Returns the reason that was typed with `--reason`, or undefined. */
export function findStatedReason({ input: { reason } }: Pick<Run, 'input'>): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}

/**
 * Returns facts about the request: a snapshot first, the pace of a batch, the reason, and the
 * schedule that made it.
 */
export function statedFacts(run: Pick<Run, 'input' | 'origin'>): readonly Fact[] {
  const reason = findStatedReason(run);
  const { atATime } = run.input;
  const { schedule } = run.origin;
  return [
    ...(isSnapshotFirst(run) ? [{ label: 'First', value: 'A snapshot is taken' }] : []),
    ...(typeof atATime === 'string' ? [{ label: 'At a time', value: atATime }] : []),
    ...(reason === undefined ? [] : [{ label: 'Reason', value: reason }]),
    ...(schedule === undefined ? [] : [{ label: 'Schedule', value: schedule }]),
  ];
}
