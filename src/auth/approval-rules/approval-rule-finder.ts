import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import { type Input, listVpsNames } from '../../operations/define/arguments/input.ts';
import { resolveEffect } from '../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { FindApprovalRouteFor } from '../../runs/pipeline/approval/approvals.ts';
import type { IsReasonRequired } from '../../runs/stated-reason.ts';
import { allVps } from '../vps-pattern.ts';
import {
  type ApprovalRule,
  type ApprovalRuleStore,
  approvableEffects,
  toRoute,
} from './approval-rule-store.ts';

/** Creates a function that finds the first rule that requires approval for a run, and returns whom that rule asks. */
export function createApprovalRuleFinder(store: Pick<ApprovalRuleStore, 'list'>): FindApprovalRouteFor {
  return async (change) => {
    const rules = await store.list(change.run.actor.teamId);
    const demanding = rules.filter(
      ({ needs, ...rule }) => needs !== 'reason' && appliesTo(rule, change.operation, change.parsed.input),
    );
    const [rule] = demanding;
    const allowsBreakGlass = demanding.every(({ needs }) => needs === 'breakGlass');
    return rule && { ...toRoute(rule), ...(allowsBreakGlass && { allowsBreakGlass }) };
  };
}

/** Creates a function that returns whether a rule requires a reason for a change. */
export function createReasonRuleFinder(store: Pick<ApprovalRuleStore, 'list'>): IsReasonRequired {
  return async (teamId, operation, input) => {
    const rules = await store.list(teamId);
    return rules.some(({ needs, ...rule }) => needs === 'reason' && appliesTo(rule, operation, input));
  };
}

function appliesTo(
  { subject, vps }: Pick<ApprovalRule, 'subject' | 'vps'>,
  operation: ChangeOperation,
  input: Input,
): boolean {
  if (!matchesSubject(subject, operation, input)) return false;
  // An account-wide operation matches any pattern. Other operations that name no VPS match only `*`.
  return (
    vps === allVps ||
    operation.isAccountWide === true ||
    listVpsNames(operation.arguments, input).some((name) => matchesPattern(vps, name))
  );
}

function matchesSubject(subject: string, operation: ChangeOperation, input: Input): boolean {
  const effects: readonly string[] = approvableEffects;
  const minSeverity = effects.indexOf(subject);
  if (minSeverity >= 0) return effects.indexOf(resolveEffect(operation, input)) >= minSeverity;
  const { name } = operation.batchOf ?? operation;
  if (subject === name) return true;
  // `action VPS reboot` does the same as `reboot VPS`, and `action VPS reset_password` as `password reset VPS`.
  const { action } = input;
  return name === 'action' && typeof action === 'string' && sortWords(action) === sortWords(subject);
}

function sortWords(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join(' ')
    .trim();
}
