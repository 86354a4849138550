import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { isRetryable, RackhandError } from '../errors.ts';
import { DeniedError, type RequiredAccess, type ResolveAccess } from '../operations/define/access/access.ts';
import type { Actor, Origin } from '../operations/define/access/actor.ts';
import type { ApprovalRoute } from '../runs/pipeline/approval/approval-route.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { Ask, AskDecision, AskKind, AskRules, AskVerdict, Narrowing, NewAsk } from './ask.ts';
import type { AskMessages } from './ask-messages.ts';
import type { AskStore } from './ask-store.ts';
import { parseAskToken } from './ask-token.ts';

export type AskResult =
  /** Other people were asked, now or earlier. `count` is how many are asked now. */
  | { readonly kind: 'asked'; readonly id: string; readonly count: number; readonly isNew: boolean }
  /** Nobody else can decide. */
  | { readonly kind: 'nobody' }
  /** The lookup of the people who can decide has failed in Slack. */
  | { readonly kind: 'unreachable' };

export type DecideResult =
  | { readonly kind: 'decided'; readonly ask: Ask; readonly isWithdrawn: boolean }
  /** The request was decided already, or has expired. */
  | { readonly kind: 'gone' };

/** A click on a card's button. */
interface DecisionRequest {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly verdict: AskVerdict;
  /** Set to approve less than what was asked for. */
  readonly less?: Narrowing | undefined;
}

/** Requests that somebody else has to decide. */
export interface Asks {
  /** Asks for a decision, unless people were asked before and haven't decided. */
  ask(request: NewAsk & { readonly route: ApprovalRoute }): Promise<AskResult>;
  /**
   * Decides a request, and carries it out if it was approved. An approval needs the token of a card that
   * shows exactly this request; to decline, its ID is enough. Throws a `DeniedError` if this person can't
   * decide it, and `input_invalid` if it can't be carried out.
   */
  decide(token: string, request: DecisionRequest): Promise<DecideResult>;
  /** Returns what somebody else has decided on the person's newest request for this subject. */
  findVerdict(request: Pick<NewAsk, 'actor' | 'kind' | 'subject'>): Promise<AskVerdict | undefined>;
  /** Returns the request if it can still be decided. */
  findOpen(teamId: string, token: string): Promise<Ask | undefined>;
  /** Returns what a decider would approve with these words. Throws `input_invalid` if that isn't less. */
  narrow(ask: Ask, less: Narrowing): Pick<Ask, 'subject' | 'title'>;
  /**
   * Carries out decisions whose process ended before it had, and ends requests that nobody has decided in
   * time. Called every `finishWithinMs`.
   */
  finishOverdue(): Promise<void>;
}

export type FindPeopleWith = (
  teamId: string,
  required: RequiredAccess,
) => Promise<{ readonly people: readonly string[]; readonly isComplete: boolean }>;

interface AsksDependencies {
  readonly store: AskStore;
  readonly findPeopleWith: FindPeopleWith;
  readonly resolveAccess: ResolveAccess;
  readonly messages: AskMessages;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Runs a transaction, and then sends the messages that were put in it. */
  readonly transact: <Result>(work: (transaction: Database) => Promise<Result>) => Promise<Result>;
  readonly kinds: Readonly<Record<AskKind, AskRules>>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** After this time, the process that stored a decision has carried it out, or has ended. */
export const finishWithinMs = 60_000;

export function createAsks(dependencies: AsksDependencies): Asks {
  const { store, findPeopleWith, resolveAccess, messages, runs, transact, kinds, now, log } = dependencies;

  /** Throws if a person can't decide a request in this way. */
  async function assertCanDecide(ask: Ask, { actor, origin, verdict }: DecisionRequest): Promise<void> {
    // The asker can withdraw the request, but not approve it.
    if (ask.actor.userId === actor.userId) {
      if (verdict === 'approved') throw new DeniedError(selfApprovalDenial);
      return;
    }
    // People who can't approve it can't decline it either.
    const denial = (await resolveAccess(actor, origin))(ask.required);
    if (denial) throw new DeniedError(denial);
    if (verdict === 'declined' || !kinds[ask.kind].needsAskersAccess) return;
    // The asker may have lost the right, or left the workspace, since they asked.
    if ((await resolveAccess(ask.actor, {}))(ask.required)) throw new DeniedError(askerDenial);
  }

  /**
   * Carries out a stored decision and shows it. Runs again if a process ended before it had finished. If it
   * can't be carried out, all that was `asked` is open again.
   */
  async function finish(ask: Ask, decision: AskDecision, origin: Origin, asked = ask): Promise<void> {
    const { operation, carryOut, advice } = kinds[ask.kind];
    const isApproved = decision.verdict === 'approved';
    try {
      if (isApproved) await carryOut(ask);
    } catch (error) {
      if (error instanceof RackhandError && !isRetryable(error.code)) await store.reopen(asked);
      throw error;
    }
    const isWithdrawn = decision.by === ask.actor.userId;
    const entry = {
      requestKey: `ask:${ask.id}`,
      actor: { teamId: ask.actor.teamId, userId: decision.by },
      origin,
      operation,
      target: `${ask.title}, requested by ${ask.actor.userId}`,
      status: 'done',
      outcome: {
        title: `${isApproved ? 'Approved' : isWithdrawn ? 'Withdrawn' : 'Declined'}: ${ask.title}`,
      },
      nowMs: now(),
    } as const;
    await transact(async (transaction) => {
      await runs.addAuditEntry(entry, transaction);
      await messages.refresh(ask, transaction);
      if (!isWithdrawn) await messages.answer(ask, advice, transaction);
      await store.finish(ask.id, now(), transaction);
    });
  }

  async function finishStored(ask: Ask): Promise<void> {
    if (!ask.decision) return;
    await finish(ask, ask.decision, {}).catch((error: unknown) =>
      log.error({ err: error, askId: ask.id }, 'the decision on a request could not be carried out'),
    );
  }

  const narrow: Asks['narrow'] = (ask, less) => {
    const narrowed = kinds[ask.kind].narrow?.(ask, less);
    if (!narrowed) throw new RackhandError('input_invalid', "A part of this request can't be approved.");
    return narrowed;
  };

  async function findOpen(teamId: string, token: string): Promise<Ask | undefined> {
    const ask = await store.find(teamId, parseAskToken(token).id);
    return ask && !ask.decision && ask.expiresMs > now() ? ask : undefined;
  }

  return {
    findOpen,
    findVerdict: (request) => store.findVerdict(request, now()),
    narrow,

    async finishOverdue() {
      for (const ask of await store.listUnfinished(now() - finishWithinMs)) await finishStored(ask);
      await transact(async (transaction) => {
        for (const ask of await store.expireOverdue(now(), transaction)) {
          await messages.refresh(ask, transaction);
          await messages.answer(ask, undefined, transaction);
        }
      });
    },

    async ask({ route, ...request }) {
      const current = await store.findOpen(request, now());
      if (current) return { kind: 'asked', id: current.id, count: 0, isNew: false };
      const { actor, kind, subject, required, details } = request;
      const { people, isComplete } = await findPeopleWith(actor.teamId, required);
      const others = people.filter((person) => person !== actor.userId);
      if (others.length === 0) return { kind: isComplete ? 'nobody' : 'unreachable' };
      const asked = await messages.choose(actor.teamId, others, route);
      const { narrow: narrowRule, findRisk } = kinds[kind];
      const shown = { ...details, risk: findRisk?.({ subject }), canBeNarrowed: narrowRule !== undefined };
      const { id } = await transact(async (transaction) => {
        const ask = await store.add({ ...request, details: shown }, now(), transaction);
        await messages.ask(ask, asked, transaction);
        return ask;
      });
      return { kind: 'asked', id, count: asked.people.length, isNew: true };
    },

    async decide(token, request) {
      const { actor, origin, verdict, less } = request;
      const ask = await findOpen(actor.teamId, token);
      if (!ask) return { kind: 'gone' };
      await assertCanDecide(ask, request);
      if (verdict === 'approved' && !parseAskToken(token).isFor(ask)) return { kind: 'gone' };
      const decided = less && verdict === 'approved' ? { ...ask, ...narrow(ask, less) } : ask;
      const decision = { verdict, by: actor.userId, atMs: now() };
      if (!(await store.decide(decided, decision))) return { kind: 'gone' };
      await finish({ ...decided, decision }, decision, origin, ask);
      return { kind: 'decided', ask: decided, isWithdrawn: ask.actor.userId === actor.userId };
    },
  };
}

const selfApprovalDenial = {
  message: "You can't approve your own request.",
  advice: 'Wait for someone else to approve it, or withdraw it yourself.',
};

const askerDenial = {
  message: 'The person who requested this is no longer allowed to do it.',
  advice: 'Decline it, or ask someone who is allowed to request it again.',
};
