import { createHash } from 'node:crypto';
import type { Effect } from '../../../hosting/endpoints/endpoint.ts';
import type { MessageRef } from '../../../messages/message.ts';
import type { RequiredAccess } from '../../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../../operations/define/access/required-access.ts';
import { findWarning, formatTitle, resolveEffect } from '../../../operations/define/inspect-operation.ts';
import type { WarningState } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { toStateColumn } from '../../confirmed-state.ts';
import type { Run } from '../../run.ts';
import { statedFacts } from '../../stated-reason.ts';
import type { ChangeRun } from '../run-context.ts';
import type { ApprovalRoute } from './approval-route.ts';
import { listUntitledInput } from './untitled-input.ts';

/** A card that asks an approver for a decision. */
export interface ApprovalCard {
  /** The value of its buttons. It is bound to the exact request and to the state on the card. */
  readonly token: string;
  readonly run: Run;
  readonly title: string;
  readonly button: string;
  readonly warning?: string;
  readonly effect: Effect;
  readonly facts: readonly Fact[];
  /** Whether the target has changed since this run's previous card. */
  readonly hasTargetChanged: boolean;
  /** The access that an approver needs. Undefined if every member can approve. */
  readonly requiredAccess: RequiredAccess | undefined;
}

/** Shows cards to the people who can approve. */
export interface ApprovalCards {
  /**
   * Posts the card where its rule says, or in the approvers' direct messages. Returns no messages if
   * nobody can approve.
   */
  post(card: ApprovalCard, route: ApprovalRoute): Promise<readonly MessageRef[]>;
  /** Replaces the card in all these messages. Throws if Slack accepts none of the new cards. */
  update(card: ApprovalCard, messages: readonly MessageRef[]): Promise<void>;
  /** Shows the decision on all cards of a run. */
  close(run: Run): Promise<void>;
}

export function createApprovalCard(
  { run, operation, parsed }: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
  state: WarningState,
  hasTargetChanged = false,
): ApprovalCard {
  const { button } = operation;
  const warning = findWarning(operation, parsed.input, state);
  const { displayNames } = run;
  const title = formatTitle(operation, parsed.input, displayNames);
  return {
    token: `${run.id}.${digestRequest(run)}`,
    run,
    title,
    button,
    effect: resolveEffect(operation, parsed.input),
    facts: [...listUntitledInput(operation, parsed.input, displayNames), ...state.facts, ...statedFacts(run)],
    hasTargetChanged,
    requiredAccess: findRequiredAccess(operation, parsed),
    ...(warning && { warning }),
  };
}

/** Parses a button's value. `isFor` says whether the card showed exactly this request and state. */
export function parseApprovalToken(token: string): { runId: string; isFor: (run: Run) => boolean } {
  const [runId = '', digest] = token.split('.');
  return { runId, isFor: (run) => digestRequest(run) === digest };
}

/** Returns a digest of the exact request: actor, operation, input, target and the state on the card. */
function digestRequest({ actor, operation, input, target, confirmedState }: Run): string {
  const request = JSON.stringify([
    actor.teamId,
    actor.userId,
    operation,
    Object.entries(input).sort(),
    target,
    toStateColumn(confirmedState),
  ]);
  return createHash('sha256').update(request).digest('base64url').slice(0, 22);
}
