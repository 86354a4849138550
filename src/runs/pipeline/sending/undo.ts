import type { NextStep } from '../../../operations/define/outcome.ts';
import { parseFingerprint, toFingerprint } from '../../../operations/format/target-state.ts';
import type { ChangeRun } from '../run-context.ts';

/** How long after a change it can be undone with a button. */
const undoTtlMs = 15 * 60_000;

/**
 * Returns the step that undoes a change. There is none if the state before the change wasn't read,
 * or isn't enough to restore it.
 */
export function createUndoSteps({ run, operation, parsed }: ChangeRun, nowMs: number): readonly NextStep[] {
  if (!operation.undo || run.confirmedState === null) return [];
  const undo = operation.undo(parsed.input, parseFingerprint(run.confirmedState));
  if (!undo) return [];
  const { label, operation: name, input, expected } = undo;
  const limits = { expectedState: toFingerprint(expected), untilMs: nowMs + undoTtlMs };
  return [{ label, operation: name, input, isUncertain: true, undo: limits }];
}
