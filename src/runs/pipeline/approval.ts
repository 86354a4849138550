import { createHash } from 'node:crypto';
import type { Effect } from '../../hosting/endpoints/endpoint.ts';
import type { Denial } from '../../operations/define/access.ts';
import type { Actor } from '../../operations/define/actor.ts';
import { parseInput } from '../../operations/define/input.ts';
import { formatTitle, resolveEffect } from '../../operations/define/inspect-operation.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Fact } from '../../operations/define/outcome.ts';
import {
  declinedProblem,
  deniedProblem,
  expiredProblem,
  notRunOwnerProblem,
  type Problem,
  selfApprovalProblem,
} from '../problem.ts';
import type { Announce, MessageRef, Run } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';
import type { WithRetry } from '../with-retry.ts';
import type { QueuedChange } from './execution.ts';
import type { FindApprovalRule } from './find-approval-rule.ts';
import type { Settle } from './run-settler.ts';
import type { RunSteps } from './run-steps.ts';

/** How long people can approve a run. */
const approvalTtlMs = 15 * 60_000;

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
}

/** Shows cards to the people who can approve. */
export interface ApprovalCards {
  /**
   * Posts the card in the channel, or in the approvers' direct messages. Returns no messages if
   * nobody can approve.
   */
  post(card: ApprovalCard, channel: string | null): Promise<readonly MessageRef[]>;
  /** Replaces the card in all these messages. */
  update(card: ApprovalCard, messages: readonly MessageRef[]): Promise<void>;
  /** Shows the decision on all cards of a run. */
  close(run: Run): Promise<void>;
}

/** The result of an approver's click. The cards show the decision, so only a problem needs a reply. */
export type ApprovalResult =
  | { readonly kind: 'decided' | 'reconfirm' | 'duplicate' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Asks another person to approve a run if a rule of the workspace requires it. */
export interface ApprovalStep {
  /** Queues a confirmed run, or asks for approval first. */
  enqueueOrRequestApproval(change: QueuedChange): Promise<RunReply>;
  approve(token: string, approver: Actor): Promise<ApprovalResult>;
  decline(token: string, approver: Actor): Promise<ApprovalResult>;
}

type PendingApproval =
  | { readonly kind: 'pending'; readonly change: QueuedChange }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'problem'; readonly problem: Problem };

interface ApprovalDependencies {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly steps: RunSteps;
  readonly findRule: FindApprovalRule;
  readonly cards: ApprovalCards;
  readonly announce: Announce;
  readonly settleAndAnnounce: Settle;
  readonly lease: () => Lease;
  readonly withRetry: WithRetry;
  readonly now: () => number;
}

const noApproverDenial: Denial = {
  message: 'This needs approval, and no one else in this workspace has permission to approve it.',
  advice: 'Ask a workspace owner or admin to give someone else permission to approve it.',
};

export function createApproval(dependencies: ApprovalDependencies): ApprovalStep {
  const { runs, catalogue, steps, findRule, cards, announce, settleAndAnnounce, lease, withRetry, now } =
    dependencies;

  function createCard(
    { run, operation, input }: Pick<QueuedChange, 'run' | 'operation' | 'input'>,
    facts: readonly Fact[],
    hasTargetChanged = false,
  ): ApprovalCard {
    const { button, warning } = operation;
    const token = `${run.id}.${digestRequest(run)}`;
    return {
      token,
      run,
      title: formatTitle(operation, input, run.displayNames),
      button,
      effect: resolveEffect(operation, input),
      facts,
      hasTargetChanged,
      ...(warning && { warning }),
    };
  }

  /** Finds the run that a card is about, if it can still be decided. */
  async function findPending(token: string, approver: Actor): Promise<PendingApproval> {
    const [runId = '', digest] = token.split('.');
    const run = await runs.find(runId);
    const operation = run && catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (run?.actor.teamId !== approver.teamId || operation?.kind !== 'change' || parsed?.kind !== 'valid') {
      return { kind: 'problem', problem: notRunOwnerProblem() };
    }
    // The run reaper settles overdue runs and updates their cards.
    const isExpired = run.status === 'expired' || (run.status === 'waiting' && steps.isOverdue(run));
    if (isExpired) return { kind: 'problem', problem: expiredProblem() };
    if (run.status !== 'waiting' || !run.approval || digestRequest(run) !== digest)
      return { kind: 'duplicate' };
    const { input } = parsed;
    return { kind: 'pending', change: { run, operation, input, ...steps.createRunContext(run) } };
  }

  /**
   * Returns why this person can't decide. Only somebody else with permission for the same change
   * can.
   */
  async function findApproverDenial(
    { run, operation }: QueuedChange,
    approver: Actor,
  ): Promise<Problem | undefined> {
    if (approver.userId === run.actor.userId) return selfApprovalProblem();
    return steps.findDenial({ actor: approver, origin: run.origin }, operation, run.input);
  }

  /** Settles a run that was declined, or for which its actor no longer has permission. */
  async function settleRefused(run: Run, problem: Problem): Promise<ApprovalResult> {
    const end = { status: 'refused', result: { kind: 'problem', problem } } as const;
    return { kind: (await settleAndAnnounce(run, ['waiting'], end)) ? 'decided' : 'duplicate' };
  }

  /**
   * Requests approval. The run starts waiting before its cards are posted, so that each card works
   * immediately and is posted only once.
   */
  async function requestApproval(change: QueuedChange, channel: string | null): Promise<RunReply> {
    const { run, operation, input, operationContext } = change;
    const { facts, fingerprint } = (await operation.readTargetState?.(operationContext, input)) ?? {
      facts: [],
      fingerprint: '',
    };
    const request = { confirmedState: fingerprint, expiresMs: now() + approvalTtlMs };
    if (!(await runs.awaitApproval(run, request, lease(), now()))) return steps.handleOverdue(run);
    const claimed: Run = { ...run, ...request, approval: { cards: [], approverId: null } };
    let messages: readonly MessageRef[];
    try {
      messages = await cards.post(createCard({ ...change, run: claimed }, facts), channel);
    } catch (error) {
      return steps.fail(claimed, error);
    }
    if (messages.length === 0) return steps.end(claimed, 'refused', deniedProblem(noApproverDenial));
    const failure = 'could not store the approval cards of a run';
    const isWaiting = await withRetry(() => runs.saveApprovalCards(run.id, messages), {
      runId: run.id,
      failure,
    });
    const waiting: Run = { ...claimed, approval: { cards: messages, approverId: null } };
    if (isWaiting) announce(waiting);
    else await closeLateCards(waiting);
    return { kind: 'started' };
  }

  /** Closes cards whose run was decided while they were being posted. */
  async function closeLateCards({ id, approval }: Run): Promise<void> {
    const run = await runs.find(id);
    if (!run || !approval) return;
    await cards.close({ ...run, approval: { ...approval, approverId: run.approval?.approverId ?? null } });
  }

  return {
    async enqueueOrRequestApproval(change) {
      const rule = await findRule(change.run, change.operation);
      return rule ? requestApproval(change, rule.channel) : steps.enqueue(change);
    },

    async approve(token, approver) {
      const pending = await findPending(token, approver);
      if (pending.kind !== 'pending') return pending;
      const { change } = pending;
      const { run, operation, input, operationContext } = change;
      const approverDenial = await findApproverDenial(change, approver);
      if (approverDenial) return { kind: 'problem', problem: approverDenial };
      const actorDenial = await steps.findDenial(run, operation, run.input);
      if (actorDenial) return settleRefused(run, actorDenial);
      const target = await operation.readTargetState?.(operationContext, input);
      if (target && target.fingerprint !== run.confirmedState) {
        const messages = run.approval?.cards ?? [];
        const request = { confirmedState: target.fingerprint, expiresMs: now() + approvalTtlMs };
        // Cards that are still being posted can't be replaced. The approver can click again.
        if (messages.length === 0 || !(await runs.renewApproval(run, request, now())))
          return { kind: 'duplicate' };
        await cards.update(
          createCard({ ...change, run: { ...run, ...request } }, target.facts, true),
          messages,
        );
        return { kind: 'reconfirm' };
      }
      const reply = await steps.enqueue(change, approver.userId);
      return reply.kind === 'problem' ? reply : { kind: 'decided' };
    },

    async decline(token, approver) {
      const pending = await findPending(token, approver);
      if (pending.kind !== 'pending') return pending;
      const { run } = pending.change;
      // The requester can always withdraw the run. Others need permission for the change.
      const isOwn = approver.userId === run.actor.userId;
      const denial = isOwn ? undefined : await findApproverDenial(pending.change, approver);
      if (denial) return { kind: 'problem', problem: denial };
      return settleRefused(run, declinedProblem(approver.userId, isOwn));
    },
  };
}

/** Returns a digest of the exact request: actor, operation, input, target and the state on the card. */
function digestRequest({ actor, operation, input, target, confirmedState }: Run): string {
  const request = JSON.stringify([
    actor.teamId,
    actor.userId,
    operation,
    Object.entries(input).sort(),
    target,
    confirmedState,
  ]);
  return createHash('sha256').update(request).digest('base64url').slice(0, 22);
}
