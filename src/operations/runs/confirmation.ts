import type { Catalogue } from '../catalogue.ts';
import { parseInput } from '../input.ts';
import { effectOf, titleOf } from '../operation.ts';
import type { Answer } from './answer.ts';
import type { Approval } from './approval.ts';
import { confirmationToken, readConfirmationToken } from './confirmation-token.ts';
import type { QueuedChange } from './execution.ts';
import { cancelled, declined, lapsed, mistyped, notYours } from './problem.ts';
import type { Asker, Run } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';
import type { Settle } from './settling.ts';
import type { OnQueued, Steps } from './steps.ts';
import { isTyped } from './typed-text.ts';

/** How long a confirmation card can be pressed, and how long the checks before it, or a read, may take. */
export const waitingMs = 10 * 60_000;

/** A card that has just been shown anew is not yet read: a click so soon was meant for the one before. */
const unreadMs = 1_000;

/** Asks the asker whether to go on, bound to the target and to the state that was shown. */
export interface ConfirmationStep {
  /** Shows the target as it is, and binds the confirmation to that. */
  ask(change: QueuedChange, isAskedAgain: boolean): Promise<Answer>;
  confirm(
    token: string,
    asker: Asker,
    /** `typed`: what was typed, where that is wanted. */
    given?: { readonly typed?: string; readonly onQueued?: OnQueued },
  ): Promise<Answer>;
  cancel(token: string, asker: Asker): Promise<void>;
  /** Finds a run of the asker's own. */
  findOwn(runId: string, asker: Asker): Promise<Run | undefined>;
}

interface ConfirmationParts {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly steps: Steps;
  readonly approval: Approval;
  readonly conclude: Settle;
  readonly lease: () => Lease;
  readonly now: () => number;
}

/** Creates what asks the asker. */
export function createConfirmation(parts: ConfirmationParts): ConfirmationStep {
  const { runs, catalogue, steps, approval, conclude, lease, now } = parts;

  async function findOwn(runId: string, { teamId, userId }: Asker): Promise<Run | undefined> {
    const run = await runs.find(runId);
    return run?.asker.teamId === teamId && run.asker.userId === userId ? run : undefined;
  }

  async function ask(
    { run, operation, input, context }: QueuedChange,
    isAskedAgain: boolean,
  ): Promise<Answer> {
    const { facts, state } = (await operation.present?.(context, input)) ?? { facts: [], state: '' };
    const nowMs = now();
    const until = { notAfterMs: nowMs + waitingMs, askedAgainMs: isAskedAgain ? nowMs : null };
    if (!(await runs.show(run.id, state, until, lease()))) return steps.endOverdue(run);
    const { button, warning, typedToConfirm } = operation;
    const confirmation = {
      token: confirmationToken(run.id, state),
      title: titleOf(operation, input, run.called),
      button,
      facts,
      isAskedAgain,
      effect: effectOf(operation, input),
      ...(warning && { warning }),
      ...(typedToConfirm && { typed: typedToConfirm(input) }),
    };
    return { kind: 'confirmation', confirmation };
  }

  return {
    ask,
    findOwn,

    async confirm(token, asker, { typed, onQueued } = {}) {
      const { runId, isFor } = readConfirmationToken(token);
      const run = await findOwn(runId, asker);
      const operation = run && catalogue.find(run.operation);
      if (!run || operation?.kind !== 'change') return { kind: 'problem', problem: notYours() };
      if (run.status === 'expired') return { kind: 'problem', problem: lapsed() };
      if (run.status !== 'waiting' || run.approval) return { kind: 'duplicate' };
      if (steps.isOverdue(run)) return steps.end(run, 'expired', lapsed());
      const isUnread = run.askedAgainMs !== null && now() - run.askedAgainMs < unreadMs;
      if (isUnread || !isFor(run.shown)) return { kind: 'duplicate' };
      return steps.answer(run, async () => {
        const parsed = parseInput(operation, run.input);
        if (!parsed.ok) throw new Error('the input of a waiting run is no longer accepted');
        const { input } = parsed;
        const wanted = operation.typedToConfirm?.(input);
        if (wanted !== undefined && !isTyped(wanted, typed ?? ''))
          return { kind: 'problem', problem: mistyped(wanted) };
        const refused = await steps.refusalOf(run, operation, run.input);
        if (refused) return steps.end(run, 'refused', refused);
        const change = { run, operation, input, ...steps.benchFor(run, { ...(onQueued && { onQueued }) }) };
        const present = await operation.present?.(change.context, input);
        return present && present.state !== run.shown ? ask(change, true) : approval.release(change);
      });
    },

    async cancel(token, asker) {
      const run = await findOwn(readConfirmationToken(token).runId, asker);
      if (run?.status !== 'waiting') return;
      if (run.approval) {
        const problem = declined(asker.userId, true);
        await conclude(run, ['waiting'], { status: 'refused', result: { kind: 'problem', problem } });
      } else if ((await steps.end(run, 'refused', cancelled())).kind === 'problem') {
        // Whoever cancels knows it.
        await runs.told(run.id);
      }
    },
  };
}
