import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import type { ApprovalRoute } from '../../runs/pipeline/approval/approval-route.ts';
import { deniedProblem, type Problem, selfApprovalProblem } from '../../runs/problem.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { Authorizer } from '../authorizer.ts';
import type { ActDecision, PendingAct, PendingActCards, PendingActKind } from './pending-act.ts';
import type { PendingActStore } from './pending-act-store.ts';

export type AskResult =
  /** Other people were asked, now or earlier. `count` is the number of messages. */
  | { readonly kind: 'asked'; readonly count: number }
  | { readonly kind: 'approved'; readonly by: string }
  | { readonly kind: 'declined' }
  /** Nobody else can approve the act. */
  | { readonly kind: 'nobody' }
  /**
   * Others could approve the act, but none was reached, or the lookup of these people in Slack
   * failed.
   */
  | { readonly kind: 'unreachable' };

export type ActDecisionResult =
  | { readonly kind: 'decided' }
  /** The act was decided already, or has expired. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type NewPendingAct = Omit<PendingAct, 'id' | 'cards' | 'decision'> & {
  readonly route: ApprovalRoute;
};

/** Carries out an approved act. Does nothing if the act is no longer needed. */
export type ActHandler = (act: PendingAct) => Promise<void>;

/** Lets a second person approve acts on Rackhand's own data. */
export interface SecondPerson {
  /** Asks for approval, unless people were asked before. Returns the state of the request. */
  ask(act: NewPendingAct): Promise<AskResult>;
  /** Handles a click on a card. Carries the act out if it was approved. */
  decide(
    id: string,
    kind: ActDecision,
    by: { readonly actor: Actor; readonly origin: Origin },
  ): Promise<ActDecisionResult>;
}

interface SecondPersonDependencies {
  readonly store: PendingActStore;
  readonly authorizer: Pick<Authorizer, 'findPeopleWith' | 'resolveAccess'>;
  readonly cards: PendingActCards;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly handlers: Readonly<Record<PendingActKind, ActHandler>>;
  readonly now: () => number;
}

/** The names under which decisions are in the activity log. */
const auditNames = {
  drop_rule: 'approval delete',
  revoke_admin: 'access revoke',
  reveal: 'reveal',
  schedule: 'schedule',
} as const;

const requesterDenial = {
  message: 'The person who requested this is no longer allowed to do it.',
  advice: 'Decline it, or ask someone who is allowed to request it again.',
};

export function createSecondPerson(dependencies: SecondPersonDependencies): SecondPerson {
  const { store, authorizer, cards, runs, handlers, now } = dependencies;

  /** Returns why a person can't decide an act in this way, or undefined. */
  async function findDecisionProblem(
    act: PendingAct,
    kind: ActDecision,
    actor: Actor,
    origin: Origin,
  ): Promise<Problem | undefined> {
    // The requester can withdraw the act, but not approve it.
    if (act.actor.userId === actor.userId) return kind === 'approved' ? selfApprovalProblem() : undefined;
    const denial = (await authorizer.resolveAccess(actor, origin))(act);
    if (denial) return deniedProblem(denial);
    // The requester can have lost the right, or left the workspace, since they asked.
    const isAllowed = kind === 'declined' || !(await authorizer.resolveAccess(act.actor, {}))(act);
    return isAllowed ? undefined : deniedProblem(requesterDenial);
  }

  return {
    async ask({ route, ...request }) {
      const current = await store.findCurrent(request, now());
      if (current?.decision) {
        const { kind, by } = current.decision;
        return kind === 'approved' ? { kind, by } : { kind };
      }
      if (current) return { kind: 'asked', count: current.cards.length };
      const { teamId, userId } = request.actor;
      const { people, isComplete } = await authorizer.findPeopleWith(teamId, request);
      const others = people.filter((person) => person !== userId);
      if (others.length === 0) return { kind: isComplete ? 'nobody' : 'unreachable' };
      const act = await store.add(request);
      const posted = await cards.send(act, others, route).catch(async (error: unknown) => {
        await store.remove(act.id);
        throw error;
      });
      if (posted.length === 0) {
        await store.remove(act.id);
        return { kind: 'unreachable' };
      }
      await store.saveCards(act.id, posted);
      return { kind: 'asked', count: posted.length };
    },

    async decide(id, kind, { actor, origin }) {
      const act = await store.find(actor.teamId, id);
      if (!act || act.expiresMs <= now()) return { kind: 'gone' };
      const problem = await findDecisionProblem(act, kind, actor, origin);
      if (act.decision) {
        // The process can have ended between an approval and its effect. Approving a schedule again
        // changes nothing if it is active.
        const isApprovedAgain = act.decision.kind === 'approved' && kind === 'approved' && !problem;
        if (isApprovedAgain && act.kind === 'schedule') await handlers.schedule(act);
        return { kind: 'gone' };
      }
      if (problem) return { kind: 'problem', problem };
      if (!(await store.decide(id, kind, actor.userId, now()))) return { kind: 'gone' };
      const decision = { kind, by: actor.userId };
      if (kind === 'approved') await handlers[act.kind]({ ...act, decision });
      await runs.addAuditEntry({
        actor,
        origin,
        operation: auditNames[act.kind],
        target: `${act.title}, requested by ${act.actor.userId}`,
        status: 'done',
        outcome: { title: `${kind === 'approved' ? 'Approved' : 'Declined'}: ${act.title}` },
        nowMs: now(),
      });
      await cards.showDecision({ ...act, decision });
      return { kind: 'decided' };
    },
  };
}
