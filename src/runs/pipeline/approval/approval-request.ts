import { createHash } from 'node:crypto';
import { findRequiredAccess } from '../../../operations/define/access/required-access.ts';
import { findWarning, formatTitle, resolveEffect } from '../../../operations/define/inspect-operation.ts';
import type { TargetState } from '../../../operations/define/target-state.ts';
import { type ConfirmedState, toConfirmedState, toStateColumn } from '../../confirmed-state.ts';
import type { Run } from '../../run.ts';
import { statedFacts } from '../../stated-reason.ts';
import { labelShownFacts } from '../names/label-shown-vps.ts';
import type { ChangeRun } from '../run-context.ts';
import type { ApprovalRequest } from './approvals.ts';
import { listUntitledInput } from './untitled-input.ts';

const approvalTtlMs = 15 * 60_000;

export async function createApprovalRequest(
  change: ChangeRun,
  target: TargetState | undefined,
  nowMs: number,
  notes: readonly string[] = [],
): Promise<ApprovalRequest & { readonly confirmedState: ConfirmedState }> {
  const { run, operation, parsed } = change;
  const { actor, origin, displayNames } = run;
  const shown = await labelShownFacts(target?.facts ?? [], change);
  const confirmedState = toConfirmedState(target);
  return {
    actor,
    kind: 'run',
    subject: toApprovalSubject({ ...run, confirmedState }),
    title: formatTitle(operation, parsed.input, displayNames),
    required: findRequiredAccess(operation, parsed) ?? { right: 'view', vps: [], isAnyVpsEnough: true },
    expiresMs: nowMs + approvalTtlMs,
    details: {
      facts: [...listUntitledInput(operation, parsed.input, displayNames), ...shown, ...statedFacts(run)],
      warning: findWarning(operation, parsed.input, { facts: shown, nowMs }),
      notes,
      button: operation.button,
      isDestructive: resolveEffect(operation, parsed.input) === 'destroy',
      channel: origin.isDirectMessage ? undefined : origin.channel,
    },
    confirmedState,
  };
}

/** Returns the subject that an approval is bound to: the exact request and the target's state. */
function toApprovalSubject({ id, actor, operation, input, target, confirmedState }: Run): string {
  const request = JSON.stringify([
    actor.teamId,
    actor.userId,
    operation,
    Object.entries(input).sort(),
    target,
    toStateColumn(confirmedState),
  ]);
  return `${id}.${createHash('sha256').update(request).digest('base64url')}`;
}

export function parseApprovalSubject(subject: string) {
  const [runId = ''] = subject.split('.');
  return { runId, isFor: (run: Run) => toApprovalSubject(run) === subject };
}
