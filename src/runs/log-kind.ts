import type { ParsedInput } from '../operations/define/arguments/input.ts';
import { requiredRight } from '../operations/define/inspect-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { RunResult } from './run.ts';

/**
 * Kinds of activity log entries: changes to the fleet, changes to Rackhand itself, such as a right or a
 * report, and reads. Denied reads are a separate kind, because the log shows them by default.
 */
export const logKinds = ['changes', 'settings', 'reads', 'denied'] as const;

export type LogKind = (typeof logKinds)[number];

/** Returns the log kind of a new run. The input can be incomplete. */
export function findLogKind(
  operation: Operation,
  { validFields }: Pick<ParsedInput, 'validFields'>,
): LogKind {
  if (operation.kind === 'change') return 'changes';
  if (operation.kind === 'read') return 'reads';
  if (operation.isLoggedAsChange?.(validFields)) return 'settings';
  const right = requiredRight(operation, validFields);
  return right === null || right === 'view' ? 'reads' : 'settings';
}

/**
 * Returns a run's log kind once the run has ended. A denied read is `denied`, and a run that only asked a
 * question counts as a read.
 */
export function settleLogKind(kind: LogKind, result: RunResult): LogKind {
  if (result.kind === 'outcome') return result.outcome.isQuestion ? 'reads' : kind;
  return kind === 'reads' && result.problem.code === 'not_permitted' ? 'denied' : kind;
}
