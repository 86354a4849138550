import type { Input } from '../../operations/define/arguments/input.ts';
import { resolveEffect } from '../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Run } from '../run.ts';

/** Returns whether a snapshot of the VPS can be taken before a change that loses its data. */
export function offersSnapshot(operation: ChangeOperation, input: Input): boolean {
  return operation.losesData === true && !operation.batchOf && resolveEffect(operation, input) === 'destroy';
}

/** The explanation that a person reads before choosing a snapshot first. */
export const snapshotFirstNote =
  'A snapshot is taken first. This begins only when the snapshot is complete, within an hour.';

/** The part of a run's input that exists if its actor chose a snapshot first. */
export const snapshotFirstInput = { snapshotFirst: 'yes' };

export function isSnapshotFirst({ input }: Pick<Run, 'input'>): boolean {
  return input.snapshotFirst === snapshotFirstInput.snapshotFirst;
}
