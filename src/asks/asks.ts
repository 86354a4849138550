import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { isRetryable, RackhandError } from '../errors.ts';
import {
  DeniedError,
  denyUncheckedPerson,
  type RequiredAccess,
  type ResolveAccess,
} from '../operations/define/access/access.ts';
import type { Actor, Origin } from '../operations/define/access/actor.ts';
import { parseApprovalSubject } from '../runs/pipeline/approval/approval-request.ts';
import type { ApprovalRoute, Approvals } from '../runs/pipeline/approval/approvals.ts';
import type { Problem } from '../runs/problem.ts';
import type { Runner } from '../runs/runner.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type {
  Ask,
  AskDecision,
  AskDetails,
  AskRules,
  AskVerdict,
  CarriedOutKind,
  Narrowing,
  NewAsk,
} from './ask.ts';
import type { AskMessages } from './ask-messages.ts';
import type { AskStore } from './ask-store.ts';
import { parseAskToken } from './ask-token.ts';

export type AskResult =
  /** People were asked, now or earlier. `count` says how many people were asked now. */
  | { readonly kind: 'asked'; readonly id: string; readonly count: number; readonly isNew: boolean }
  /** Nobody else can decide. */
  | { readonly kind: 'nobody' }
  /** Slack couldn't look up who can decide. */
  | { readonly kind: 'unreachable' };

export type DecideResult =
  | { readonly kind: 'decided'; readonly ask: Ask; readonly isWithdrawn: boolean }
  /** The request was already decided or has expired. */
  | { readonly kind: 'gone' };

interface DecisionRequest {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly verdict: AskVerdict;
  /** Set to approve less than requested. */
  readonly less?: Narrowing | undefined;
  /** Set to approve one's own request without a second person. */
  readonly breakGlassReason?: string;
}

export interface Asks extends Approvals {
  /** Asks for a decision, unless there already is an undecided request for it. */
  ask(request: NewAsk & { readonly kind: CarriedOutKind; readonly route: ApprovalRoute }): Promise<AskResult>;
  /**
   * Decides a request and, if approved, carries it out. Approving takes the token of a card that shows
   * exactly this request; for declining, the ID is enough. Throws a `DeniedError` if the person can't
   * decide the request, and `input_invalid` if it can't be carried out.
   */
  decide(token: string, request: DecisionRequest): Promise<DecideResult>;
  /** Returns someone else's decision on the person's newest request for the subject. */
  findDecision(request: Pick<NewAsk, 'actor' | 'kind' | 'subject'>): Promise<AskDecision | undefined>;
  /** Returns the request if it can still be decided. */
  findOpen(teamId: string, token: string): Promise<Ask | undefined>;
  /**
   * Returns the request that a decider would approve. Throws `input_invalid` if that isn't narrower than the original.
   */
  narrow(ask: Ask, less: Narrowing): Pick<Ask, 'subject' | 'title'>;
  /**
   * Carries out decisions that another process left unfinished, and ends overdue requests. Called every
   * `finishWithinMs`.
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
  /** Runs a transaction, then sends the messages stored in it. */
  readonly transact: <Result>(work: (transaction: Database) => Promise<Result>) => Promise<Result>;
  readonly kinds: Readonly<Record<CarriedOutKind, AskRules>>;
  readonly runner: () => Pick<Runner, 'approve' | 'decline'>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** How long the process that stored a decision has to carry it out before another process takes over. */
export const finishWithinMs = 60_000;

export function createAsks(dependencies: AsksDependencies): Asks {
  const { store, findPeopleWith, resolveAccess, messages, runs, transact, kinds, runner, now, log } =
    dependencies;

  async function assertCanBreakGlass(ask: Ask, actor: Actor): Promise<void> {
    const denial = (await resolveAccess(actor, {}))(adminAccess);
    if (denial?.isUnknown) throw new DeniedError(denial);
    if (denial || ask.actor.userId !== actor.userId || !ask.details.breakGlass)
      throw new DeniedError(breakGlassDenial);
  }

  /** Throws if the person can't decide the request this way. */
  async function assertCanDecide(ask: Ask, request: DecisionRequest): Promise<void> {
    const { actor, origin, verdict, breakGlassReason } = request;
    const isOwn = ask.actor.userId === actor.userId;
    // Askers can withdraw their request, but not approve it.
    if (isOwn && verdict === 'declined') return;
    if (breakGlassReason !== undefined) await assertCanBreakGlass(ask, actor);
    else if (isOwn) throw new DeniedError(selfApprovalDenial);
    // People who can't approve the request can't decline it either.
    const denial = (await resolveAccess(actor, origin))(ask.required);
    if (denial) throw new DeniedError(denial);
    if (verdict === 'declined' || (ask.kind !== 'run' && !kinds[ask.kind].needsAskersAccess)) return;
    // The asker may have lost the right or left the workspace since asking.
    const lost = (await resolveAccess(ask.actor, {}))(ask.required);
    if (lost?.isUnknown) throw new DeniedError(denyUncheckedPerson('the person who requested this'));
    if (lost) throw new DeniedError(askerDenial);
  }

  /**
   * Carries out a stored decision and shows it. Called again after a crash. If the decision can't be carried out, all
   * of `asked` can be decided again.
   */
  async function finish(ask: Ask, decision: AskDecision, origin: Origin, asked = ask): Promise<void> {
    if (ask.kind === 'run') return;
    const { operation, carryOut, advice } = kinds[ask.kind];
    const isApproved = decision.verdict === 'approved';
    try {
      if (isApproved) {
        // After a crash, people may have lost their rights since the decision.
        const actor = { teamId: ask.actor.teamId, userId: decision.by };
        await assertCanDecide(ask, { actor, origin, verdict: 'approved' });
        await carryOut(ask);
      }
    } catch (error) {
      if (error instanceof RackhandError && !isRetryable(error.code))
        await transact(async (transaction) => {
          await store.reopen(asked, transaction);
          // After a crash, only the approved part is known, so the cards must ask for that part.
          await messages.refresh(asked, transaction);
        });
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
    const narrowed = ask.kind === 'run' ? undefined : kinds[ask.kind].narrow?.(ask, less);
    if (!narrowed) throw new RackhandError('input_invalid', "A part of this request can't be approved.");
    return narrowed;
  };

  async function findOpen(teamId: string, token: string): Promise<Ask | undefined> {
    const ask = await store.find(teamId, parseAskToken(token).id);
    return ask && !ask.decision && ask.expiresMs > now() ? ask : undefined;
  }

  /** Returns whom to notify if the asker breaks the glass, or undefined if breaking the glass isn't allowed. */
  async function findBreakGlass(
    { kind, actor, details }: NewAsk,
    { channel, allowsBreakGlass }: ApprovalRoute,
  ): Promise<AskDetails['breakGlass']> {
    if (kind !== 'run' || !allowsBreakGlass || (await resolveAccess(actor, {}))(adminAccess))
      return undefined;
    const { people, isComplete } = await findPeopleWith(actor.teamId, adminAccess);
    if (!isComplete) return undefined;
    const admins = people.filter((person) => person !== actor.userId);
    return { places: [...new Set([channel, details?.channel, ...admins].flatMap((place) => place ?? []))] };
  }

  /** Chooses the people to ask. The request is stored later, in a transaction. */
  async function prepare({ route, ...request }: NewAsk & { readonly route: ApprovalRoute }) {
    const { teamId, userId } = request.actor;
    const { people, isComplete } = await findPeopleWith(teamId, request.required);
    const others = people.filter((person) => person !== userId);
    const breakGlass = await findBreakGlass(request, route);
    const canBeDecided = request.kind === 'run' && (route.channel !== null || (breakGlass && isComplete));
    // If everyone has the right, anyone in the channel can approve the run.
    if (others.length === 0 && !canBeDecided) return { kind: isComplete ? 'nobody' : 'unreachable' } as const;
    const asked = await messages.choose(teamId, others, route);
    const id = randomUUID();
    const details = { ...request.details, ...(breakGlass && { breakGlass }) };
    const put = async (transaction: Database) =>
      messages.ask(await store.add({ ...request, details }, now(), transaction, id), asked, transaction);
    return { kind: 'ready', id, count: asked.people.length, put } as const;
  }

  /** Has the pipeline decide a run. Returns false if the run was already decided. */
  async function decideRun(
    { subject }: Ask,
    { actor, verdict, breakGlassReason: reason }: DecisionRequest,
    isOutdated: boolean,
  ) {
    const { approve, decline } = runner();
    const click = { ...parseApprovalSubject(subject), approver: actor, isOutdated, reason };
    const reply = await (verdict === 'approved' ? approve(click) : decline(click));
    if (reply.kind === 'problem') throw toError(reply.problem);
    return reply.kind === 'started';
  }

  return {
    findOpen,
    findDecision: (request) => store.findDecision(request, now()),
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

    prepare,

    async renew(id, { details, ...request }, transaction) {
      const ask = await store.find(request.actor.teamId, id, transaction);
      if (!ask) return;
      const renewed = { ...ask, ...request, details: { ...ask.details, ...details } };
      await store.renew(id, renewed, transaction);
      await messages.refresh(renewed, transaction);
    },

    async ask(request) {
      const current = await store.findOpen(request, now());
      if (current) return { kind: 'asked', id: current.id, count: 0, isNew: false };
      const { kind, subject, details } = request;
      const { narrow: narrowRule, findRisk } = kinds[kind];
      const shown = { ...details, risk: findRisk?.({ subject }), canBeNarrowed: narrowRule !== undefined };
      const prepared = await prepare({ ...request, details: shown });
      if (prepared.kind !== 'ready') return prepared;
      await transact(prepared.put);
      return { kind: 'asked', id: prepared.id, count: prepared.count, isNew: true };
    },

    async decide(token, request) {
      const { actor, origin, verdict, less } = request;
      const ask = await findOpen(actor.teamId, token);
      if (!ask) return { kind: 'gone' };
      await assertCanDecide(ask, request);
      const isWithdrawn = ask.actor.userId === actor.userId;
      const isOutdated = verdict === 'approved' && !parseAskToken(token).isFor(ask);
      if (ask.kind === 'run')
        return (await decideRun(ask, request, isOutdated))
          ? { kind: 'decided', ask, isWithdrawn }
          : { kind: 'gone' };
      if (isOutdated) return { kind: 'gone' };
      const decided = less && verdict === 'approved' ? { ...ask, ...narrow(ask, less) } : ask;
      const decision = { verdict, by: actor.userId, atMs: now() };
      if (!(await store.decide(decided, decision))) return { kind: 'gone' };
      await finish({ ...decided, decision }, decision, origin, ask);
      return { kind: 'decided', ask: decided, isWithdrawn };
    },
  };
}

const selfApprovalDenial = {
  message: "You can't approve your own request.",
  advice: 'Wait for someone else to approve it, or withdraw it yourself.',
};

const adminAccess: RequiredAccess = { right: 'admin', vps: [] };

const breakGlassDenial = {
  message: 'Only an admin who requested this can break the glass, and only if the approval rule allows it.',
  advice: 'Wait for someone else to approve it.',
};

const askerDenial = {
  message: 'The person who requested this is no longer allowed to do it.',
  advice: 'Decline it, or ask someone who is allowed to request it again.',
};

function toError({ code, message, advice, nextSteps = [] }: Problem): RackhandError {
  return code === 'not_permitted'
    ? new DeniedError({ message, advice, nextSteps })
    : new RackhandError(code, message);
}
