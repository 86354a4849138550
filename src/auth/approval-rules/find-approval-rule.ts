import { listVpsNames, parseValidFields } from '../../operations/define/input.ts';
import { resolveEffect } from '../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { FindApprovalRule } from '../../runs/pipeline/find-approval-rule.ts';
import type { Run } from '../../runs/run.ts';
import { allVps, matchesPattern } from '../vps-pattern.ts';
import { type ApprovalRule, type ApprovalRuleStore, approvableEffects } from './approval-rule-store.ts';

/** Finds the first rule of the workspace that requires approval for a run. */
export function createApprovalRuleFinder(store: Pick<ApprovalRuleStore, 'list'>): FindApprovalRule {
  return async (run, operation) => {
    const rules = await store.list(run.actor.teamId);
    const rule = rules.find((candidate) => appliesTo(candidate, run, operation));
    return rule && { channel: rule.channel };
  };
}

function appliesTo({ subject, vps }: ApprovalRule, run: Run, operation: ChangeOperation): boolean {
  const input = parseValidFields(operation, run.input);
  if (!matchesSubject(subject, operation, input)) return false;
  // An operation that names no VPS concerns all of them, so only the pattern `*` applies.
  return (
    vps === allVps ||
    operation.isAccountWide === true ||
    listVpsNames(operation.arguments, input).some((name) => matchesPattern(vps, name))
  );
}

function matchesSubject(
  subject: string,
  operation: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const effects: readonly string[] = approvableEffects;
  const minSeverity = effects.indexOf(subject);
  if (minSeverity >= 0) return effects.indexOf(resolveEffect(operation, input)) >= minSeverity;
  if (subject === operation.name) return true;
  // `action VPS reboot` does the same as `reboot VPS`.
  const { action } = input;
  return operation.name === 'action' && typeof action === 'string' && action.toLowerCase() === subject;
}
