import { resolveEffect } from '../../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../../operations/define/operation.ts';

/** Which changes need a reason in a workspace: those that can lose data, or all. */
export type ReasonRule = 'destroy' | 'change';

/** Returns undefined if no change needs a reason. */
export type FindReasonRule = (teamId: string) => Promise<ReasonRule | undefined>;

/** Returns whether a rule demands a reason for a change. */
export function needsReason(
  rule: ReasonRule | undefined,
  operation: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
): boolean {
  return rule === 'change' || (rule === 'destroy' && resolveEffect(operation, input) === 'destroy');
}
