import type { RequiredAccess } from '../../operations/define/access/access.ts';
import type { Origin } from '../../operations/define/access/actor.ts';
import type { Operation } from '../../operations/define/operation.ts';
import { confirmationTtlMs } from '../../runs/pipeline/confirmation/confirm.ts';
import { deniedProblem, type Problem } from '../../runs/problem.ts';
import type { AuditResult, NewAuditEntry } from '../../runs/store/run-row.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { Authorizer } from '../authorizer.ts';
import { formatOwnAccess } from '../grants/format-access.ts';
import {
  type AccessRequest,
  type AccessRequestCards,
  formatRequest,
  type RequestDecision,
  requestTtlMs,
} from './access-request.ts';
import type { AccessRequestStore } from './access-request-store.ts';
import { createRequestAccessOperation } from './request-access-operation.ts';

/**
 * How long a claim on a request is valid. No run takes longer, so the process that claimed the
 * request must have ended by then.
 */
const claimTtlMs = confirmationTtlMs;

const requiredToDecide: RequiredAccess = { right: 'admin', vps: [] };

export type FindRequestResult =
  | { readonly kind: 'open'; readonly request: AccessRequest }
  | { readonly kind: 'decided' }
  /** The request has expired, or isn't one of this workspace. */
  | { readonly kind: 'gone' };

export type DecideRequestResult =
  | { readonly kind: 'decided' }
  /** Someone else has decided or is deciding right now. */
  | { readonly kind: 'claimed' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Handles members' requests for rights, and the decisions of people who can grant them. */
export interface AccessRequests {
  find(teamId: string, id: string): Promise<FindRequestResult>;
  /**
   * Carries out the decision on a request, then stores and announces it. Only one decision takes
   * effect. `grant` runs the grant under the given request key and returns its problem, if any;
   * then the request stays open.
   */
  decide(
    request: AccessRequest,
    decision: { readonly kind: RequestDecision; readonly by: string; readonly origin: Origin },
    grant: (requestKey: string) => Promise<Problem | undefined>,
  ): Promise<DecideRequestResult>;
  readonly operation: Operation;
}

interface AccessRequestDependencies {
  readonly store: AccessRequestStore;
  readonly authorizer: Authorizer;
  readonly cards: AccessRequestCards;
  readonly runs: Pick<RunStore, 'addAuditEntry' | 'listDenied'>;
  readonly now?: () => number;
}

export function createAccessRequests(dependencies: AccessRequestDependencies): AccessRequests {
  const { store, authorizer, cards, runs, now = Date.now } = dependencies;

  /** Adds a decision to the activity log. Needed only if no operation ran: a grant is a run of its own. */
  async function auditDecision(
    request: AccessRequest,
    { kind, ...entry }: Pick<NewAuditEntry, 'actor' | 'origin'> & AuditResult & { kind: RequestDecision },
  ): Promise<void> {
    await runs.addAuditEntry({
      ...entry,
      operation: kind === 'granted' ? 'access grant' : 'access decline',
      target: `${formatRequest(request)} for ${request.actor.userId}`,
      nowMs: now(),
    });
  }

  return {
    operation: createRequestAccessOperation({ store, authorizer, cards, runs, now }),

    async find(teamId, id) {
      const request = await store.find(teamId, id);
      if (request?.decision) return { kind: 'decided' };
      const isExpired = request === undefined || now() - request.requestedMs >= requestTtlMs;
      return isExpired ? { kind: 'gone' } : { kind: 'open', request };
    },

    async decide(request, { kind, by, origin }, grant) {
      const actor = { teamId: request.actor.teamId, userId: by };
      const denial = (await authorizer.resolveAccess(actor, origin))(requiredToDecide);
      if (denial) {
        const problem = deniedProblem(denial);
        await auditDecision(request, { kind, actor, origin, status: 'refused', problem });
        return { kind: 'problem', problem };
      }
      const { id } = request;
      const claimedMs = now();
      if (!(await store.claim(id, { nowMs: claimedMs, sinceMs: claimedMs - claimTtlMs }))) {
        return { kind: 'claimed' };
      }
      if (kind === 'granted') {
        // An earlier claim may have died halfway through its grant, so each claim uses its own
        // request key.
        const problem = await grant(`request:${id}:${claimedMs}`).catch(async (error: unknown) => {
          await store.release(id, claimedMs);
          throw error;
        });
        if (problem) {
          await store.release(id, claimedMs);
          return { kind: 'problem', problem };
        }
      }
      const decision = { kind, by };
      if (!(await store.saveDecision(id, decision, { claimedMs, nowMs: now() }))) return { kind: 'claimed' };
      if (kind === 'declined') {
        const outcome = { title: `Declined: ${formatRequest(request)}` };
        await auditDecision(request, { kind, actor, origin, status: 'done', outcome });
      }
      const { facts = [] } = formatOwnAccess(await authorizer.findHeldRights(request.actor), undefined);
      await Promise.all([
        cards.edit(await store.listOnCards(request), facts),
        cards.notify({ ...request, decision }),
      ]);
      return { kind: 'decided' };
    },
  };
}
