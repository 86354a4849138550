import { createHash } from 'node:crypto';
import type { Effect } from '../../hosting/endpoint.ts';
import type { Catalogue } from '../catalogue.ts';
import { parseInput } from '../input.ts';
import { type ChangeOperation, effectOf, titleOf } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import type { Refusal } from './access.ts';
import type { Answer } from './answer.ts';
import type { QueuedChange } from './execution.ts';
import type { Persistently } from './persistently.ts';
import { declined, lapsed, notPermitted, notYours, type Problem, selfApproval } from './problem.ts';
import type { Announce, Asker, Run } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';
import type { Settle } from './settling.ts';
import type { Steps } from './steps.ts';

/** How long a second person can approve: then the run has not run. */
const approveWithinMs = 15 * 60_000;

/** What a second person reads before they decide. */
export interface ApprovalCard {
  /** What its buttons carry: bound to the exact request and to the state that is shown. */
  readonly token: string;
  readonly run: Run;
  readonly title: string;
  readonly button: string;
  readonly warning?: string;
  readonly effect: Effect;
  readonly facts: readonly Fact[];
  /** Whether the target has changed since somebody was asked before. */
  readonly isAskedAgain: boolean;
}

/** Where a card stands. */
export interface CardPlace {
  readonly channel: string;
  readonly ts: string;
}

/** Tells whether a workspace wants a second person for a run; the channel for the card, where it has one. */
export type ApprovalRules = (
  run: Run,
  operation: ChangeOperation,
) => Promise<{ readonly channel: string | null } | undefined>;

/** Shows cards to those who can approve. */
export interface ApprovalDesk {
  /** Posts the card in the channel, or to those who can approve. Gives where it stands; nowhere where nobody can. */
  post(card: ApprovalCard, channel: string | null): Promise<readonly CardPlace[]>;
  /** Shows a card anew, in every place. */
  refresh(card: ApprovalCard, places: readonly CardPlace[]): Promise<void>;
  /** Shows what became of a run on its cards, in every place. */
  close(run: Run): Promise<void>;
}

/** What an approver's press comes to: the card tells it itself, unless there is a problem that only they see. */
export type Decision =
  | { readonly kind: 'decided' | 'asked-again' | 'duplicate' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Asks a second person where the workspace demands it: bound to the exact request, once, for a quarter of an hour. */
export interface Approval {
  /** Lets a run go that its asker wants, or waits for a second person. */
  release(change: QueuedChange): Promise<Answer>;
  approve(token: string, approver: Asker): Promise<Decision>;
  decline(token: string, approver: Asker): Promise<Decision>;
}

interface ApprovalParts {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly steps: Steps;
  readonly rules: ApprovalRules;
  readonly desk: ApprovalDesk;
  readonly announce: Announce;
  readonly conclude: Settle;
  readonly lease: () => Lease;
  readonly persistently: Persistently;
  readonly now: () => number;
}

const nobodyElse: Refusal = {
  what: 'This needs a second person, and nobody else in this workspace may do it.',
  next: 'Ask an owner to grant somebody the right.',
};

/** Creates what asks a second person. */
export function createApproval(parts: ApprovalParts): Approval {
  const { runs, catalogue, steps, rules, desk, announce, conclude, lease, persistently, now } = parts;

  function cardOf(
    { run, operation, input }: Pick<QueuedChange, 'run' | 'operation' | 'input'>,
    facts: readonly Fact[],
    isAskedAgain = false,
  ): ApprovalCard {
    const { button, warning } = operation;
    const token = `${run.id}.${digestOf(run)}`;
    return {
      token,
      run,
      title: titleOf(operation, input, run.called),
      button,
      effect: effectOf(operation, input),
      facts,
      isAskedAgain,
      ...(warning && { warning }),
    };
  }

  /** Finds what is to be decided, and says why not if so. */
  async function find(token: string, approver: Asker) {
    const [runId = '', digest] = token.split('.');
    const run = await runs.find(runId);
    const operation = run && catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (run?.asker.teamId !== approver.teamId || operation?.kind !== 'change' || !parsed?.ok) {
      return { problem: notYours() };
    }
    // The caretaker ends what is overdue, and tells it.
    const isOver = run.status === 'expired' || (run.status === 'waiting' && steps.isOverdue(run));
    if (isOver) return { problem: lapsed() };
    if (run.status !== 'waiting' || !run.approval || digestOf(run) !== digest) return { isOver: true };
    const { input } = parsed;
    return { change: { run, operation, input, ...steps.benchFor(run) } };
  }

  /** Only a peer may decide: another person, who could do it themselves at that place. */
  async function objectionTo(
    { run, operation }: QueuedChange,
    approver: Asker,
  ): Promise<Problem | undefined> {
    if (approver.userId === run.asker.userId) return selfApproval();
    return steps.refusalOf({ asker: approver, origin: run.origin }, operation, run.input);
  }

  /** Ends what its asker may no longer do, or what was declined, and tells it. */
  async function refuse(run: Run, problem: Problem): Promise<Decision> {
    const end = { status: 'refused', result: { kind: 'problem', problem } } as const;
    return { kind: (await conclude(run, ['waiting'], end)) ? 'decided' : 'duplicate' };
  }

  /** Claims the run for a second person before anybody is asked, so that it is asked once, and a card is good from its first moment. */
  async function ask(change: QueuedChange, channel: string | null): Promise<Answer> {
    const { run, operation, input, context } = change;
    const { facts, state } = (await operation.present?.(context, input)) ?? { facts: [], state: '' };
    const question = { shown: state, notAfterMs: now() + approveWithinMs };
    if (!(await runs.awaitApproval(run, question, lease(), now()))) return steps.endOverdue(run);
    const asked: Run = { ...run, ...question, approval: { places: [], approverId: null } };
    let places: readonly CardPlace[];
    try {
      places = await desk.post(cardOf({ ...change, run: asked }, facts), channel);
    } catch (error) {
      return steps.fail(asked, error);
    }
    if (places.length === 0) return steps.end(asked, 'refused', notPermitted(nobodyElse));
    const what = 'where second persons are asked could not be kept';
    const isWaiting = await persistently(() => runs.keepCards(run.id, places), { runId: run.id, what });
    const waiting: Run = { ...asked, approval: { places, approverId: null } };
    if (isWaiting) announce(waiting);
    else await closeLate(waiting);
    return { kind: 'started' };
  }

  /** Somebody was faster than the posting: who decided it did not know of all these cards. */
  async function closeLate({ id, approval }: Run): Promise<void> {
    const run = await runs.find(id);
    if (!run || !approval) return;
    await desk.close({ ...run, approval: { ...approval, approverId: run.approval?.approverId ?? null } });
  }

  return {
    async release(change) {
      const rule = await rules(change.run, change.operation);
      return rule ? ask(change, rule.channel) : steps.launch(change);
    },

    async approve(token, approver) {
      const found = await find(token, approver);
      if (found.problem) return { kind: 'problem', problem: found.problem };
      if (!found.change) return { kind: 'duplicate' };
      const { change } = found;
      const { run, operation, input, context } = change;
      const objection = await objectionTo(change, approver);
      if (objection) return { kind: 'problem', problem: objection };
      const lost = await steps.refusalOf(run, operation, run.input);
      if (lost) return refuse(run, lost);
      const present = await operation.present?.(context, input);
      if (present && present.state !== run.shown) {
        const places = run.approval?.places ?? [];
        const question = { shown: present.state, notAfterMs: now() + approveWithinMs };
        // Cards that are still being posted cannot be shown anew yet: a moment later they can.
        if (places.length === 0 || !(await runs.askAnew(run, question, now()))) return { kind: 'duplicate' };
        await desk.refresh(cardOf({ ...change, run: { ...run, ...question } }, present.facts, true), places);
        return { kind: 'asked-again' };
      }
      const answer = await steps.launch(change, approver.userId);
      return answer.kind === 'problem' ? answer : { kind: 'decided' };
    },

    async decline(token, approver) {
      const found = await find(token, approver);
      if (found.problem) return { kind: 'problem', problem: found.problem };
      if (!found.change) return { kind: 'duplicate' };
      const { run } = found.change;
      // Whoever asked may take it back; anybody else must be a peer.
      const isOwn = approver.userId === run.asker.userId;
      const objection = isOwn ? undefined : await objectionTo(found.change, approver);
      if (objection) return { kind: 'problem', problem: objection };
      return refuse(run, declined(approver.userId, isOwn));
    },
  };
}

/** Digests the exact request: who wants what of which target, in the state that was shown. */
function digestOf({ asker, operation, input, target, shown }: Run): string {
  const request = JSON.stringify([
    asker.teamId,
    asker.userId,
    operation,
    Object.entries(input).sort(),
    target,
    shown,
  ]);
  return createHash('sha256').update(request).digest('base64url').slice(0, 22);
}
