import type { Actor } from '../../operations/define/actor.ts';
import { listVpsNames, parseInput } from '../../operations/define/input.ts';
import { formatTitle, resolveEffect } from '../../operations/define/inspect-operation.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { TargetState } from '../../operations/define/target-state.ts';
import { listNamesFor } from '../../operations/format/label-vps.ts';
import { readVpsState } from '../../operations/vps/target-state.ts';
import {
  cancelledProblem,
  declinedProblem,
  expiredProblem,
  mistypedProblem,
  notRunOwnerProblem,
} from '../problem.ts';
import type { Run } from '../run.ts';
import type { Confirmation, RunReply } from '../run-reply.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ApprovalStep } from './approval.ts';
import { createConfirmationToken, parseConfirmationToken } from './confirmation-token.ts';
import type { OnQueued } from './create-run-context.ts';
import type { QueuedChange } from './execution.ts';
import type { Settle } from './run-settler.ts';
import type { RunSteps } from './run-steps.ts';
import { matchesTypedConfirmation } from './typed-confirmation.ts';

/**
 * How long a confirmation can be clicked. The checks before it have the same limit, and so does a
 * read.
 */
export const confirmationTtlMs = 10 * 60_000;

/** A click this soon after a card was replaced was meant for the previous card. */
const ignoreClicksMs = 1_000;

/**
 * Asks the actor to confirm a change. The confirmation is bound to the target's state on the card.
 */
export interface ConfirmationStep {
  /** Returns a confirmation of the change that shows the target's current state. */
  show(change: QueuedChange, hasTargetChanged: boolean): Promise<RunReply>;
  confirm(
    token: string,
    actor: Actor,
    /** `typed` is the text of a typed confirmation. */
    options?: { readonly typed?: string; readonly onQueued?: OnQueued },
  ): Promise<RunReply>;
  cancel(token: string, actor: Actor): Promise<void>;
  /** Returns the run if the actor owns it. */
  findOwnRun(runId: string, actor: Actor): Promise<Run | undefined>;
}

interface ConfirmationDependencies {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly steps: RunSteps;
  readonly approval: ApprovalStep;
  readonly settleAndAnnounce: Settle;
  readonly lease: () => Lease;
  readonly now: () => number;
}

export function createConfirmation(dependencies: ConfirmationDependencies): ConfirmationStep {
  const { runs, catalogue, steps, approval, settleAndAnnounce, lease, now } = dependencies;

  async function findOwnRun(runId: string, { teamId, userId }: Actor): Promise<Run | undefined> {
    const run = await runs.find(runId);
    return run?.actor.teamId === teamId && run.actor.userId === userId ? run : undefined;
  }

  async function show(
    { run, operation, input, operationContext }: QueuedChange,
    hasTargetChanged: boolean,
  ): Promise<RunReply> {
    const { facts, fingerprint } =
      (await operation.readTargetState?.(operationContext, input)) ??
      (await readVpsFacts({ operation, input, operationContext }));
    const nowMs = now();
    const period = { expiresMs: nowMs + confirmationTtlMs, reconfirmedMs: hasTargetChanged ? nowMs : null };
    if (!(await runs.saveConfirmation(run.id, fingerprint, period, lease()))) return steps.handleOverdue(run);
    const { button, warning, typedToConfirm } = operation;
    const confirmation = {
      token: createConfirmationToken(run.id, fingerprint),
      title: formatTitle(operation, input, run.displayNames),
      button,
      facts,
      hasTargetChanged,
      effect: resolveEffect(operation, input),
      ...(warning && { warning }),
      ...(typedToConfirm && toTypedTexts(typedToConfirm(input), run)),
    };
    return { kind: 'confirmation', confirmation };
  }

  /** Reads which VPS is meant. Used if an operation that usually needs no confirmation asks for one. */
  async function readVpsFacts({
    operation,
    input,
    operationContext,
  }: Omit<QueuedChange, 'run' | 'hosting'>): Promise<TargetState> {
    const [vps] = listVpsNames(operation.arguments, input);
    const facts = vps === undefined ? [] : (await readVpsState(operationContext.read, vps)).facts;
    return { facts, fingerprint: '' };
  }

  return {
    show,
    findOwnRun,

    async confirm(token, actor, { typed, onQueued } = {}) {
      const { runId, matchesState } = parseConfirmationToken(token);
      const run = await findOwnRun(runId, actor);
      const operation = run && catalogue.find(run.operation);
      if (!run || operation?.kind !== 'change') return { kind: 'problem', problem: notRunOwnerProblem() };
      if (run.status === 'expired') return { kind: 'problem', problem: expiredProblem() };
      if (run.status !== 'waiting' || run.approval) return { kind: 'duplicate' };
      if (steps.isOverdue(run)) return steps.end(run, 'expired', expiredProblem());
      const isTooSoon = run.reconfirmedMs !== null && now() - run.reconfirmedMs < ignoreClicksMs;
      if (isTooSoon || !matchesState(run.confirmedState)) return { kind: 'duplicate' };
      return steps.replyBeforeExpiry(run, async () => {
        const parsed = parseInput(operation, run.input);
        if (parsed.kind === 'invalid') throw new Error('the input of a waiting run is no longer accepted');
        const { input } = parsed;
        const requiredText = operation.typedToConfirm?.(input);
        const accepted = requiredText === undefined ? [] : listNamesFor(requiredText, run.displayNames);
        if (requiredText !== undefined && !matchesTypedConfirmation(accepted, typed ?? ''))
          return { kind: 'problem', problem: mistypedProblem(requiredText) };
        const denial = await steps.findDenial(run, operation, run.input);
        if (denial) return steps.end(run, 'refused', denial);
        const change = {
          run,
          operation,
          input,
          ...steps.createRunContext(run, { ...(onQueued && { onQueued }) }),
        };
        const target = await operation.readTargetState?.(change.operationContext, input);
        return target && target.fingerprint !== run.confirmedState
          ? show(change, true)
          : approval.enqueueOrRequestApproval(change);
      });
    },

    async cancel(token, actor) {
      const run = await findOwnRun(parseConfirmationToken(token).runId, actor);
      if (run?.status !== 'waiting') return;
      if (run.approval) {
        const problem = declinedProblem(actor.userId, true);
        await settleAndAnnounce(run, ['waiting'], {
          status: 'refused',
          result: { kind: 'problem', problem },
        });
      } else if ((await steps.end(run, 'refused', cancelledProblem())).kind === 'problem') {
        // A person who cancels needs no reply.
        await runs.markDelivered(run.id);
      }
    },
  };
}

/** Returns the texts that confirm when typed. A VPS can be confirmed by any name that the card shows. */
function toTypedTexts(
  textToType: string,
  { displayNames }: Run,
): Pick<Confirmation, 'textToType' | 'alsoAccepted'> {
  return { textToType, alsoAccepted: listNamesFor(textToType, displayNames).slice(1) };
}
