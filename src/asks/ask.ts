import type { RequiredAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { NextStep } from '../operations/define/outcome.ts';
import type { ApprovalRequest } from '../runs/pipeline/approval/approvals.ts';

export const askKinds = ['run', 'access', 'drop_rule', 'revoke_admin', 'reveal', 'schedule'] as const;

/**
 * What is requested: a run, a right, deleting an approval rule, revoking the admin right, revealing a secret, or a
 * schedule.
 */
export type AskKind = (typeof askKinds)[number];

/** Kinds whose decision is stored first and then carried out. A decision on a run changes the run directly. */
export type CarriedOutKind = Exclude<AskKind, 'run'>;

export type AskVerdict = 'approved' | 'declined';

export interface AskDecision {
  readonly verdict: AskVerdict;
  /** The ID of the person who decided, which is the asker if they withdrew the request. */
  readonly by: string;
  readonly atMs: number;
}

/** What a request's messages show besides the title. */
export interface AskDetails extends Partial<ApprovalRequest['details']> {
  /** What an approval would allow, if dangerous. A dialog warns about it before the approval. */
  readonly risk?: string | undefined;
  readonly canBeNarrowed?: boolean;
  /**
   * Set if the asker may break the glass, which approves the request without anyone else. `places` are then told the
   * reason.
   */
  readonly breakGlass?: { readonly places: readonly string[]; readonly reason?: string };
  readonly followUpStep?: NextStep | undefined;
  /** The key of the message that starts as the card. By default, each card is a message of its own. */
  readonly messageKey?: string | undefined;
}

/** A request that someone else has to decide. */
export interface Ask {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: AskKind;
  /** Exactly what an approval applies to, such as a rule's ID. The format depends on the kind. */
  readonly subject: string;
  /** A description, such as "Delete the approval rule for reboot". */
  readonly title: string;
  readonly details: AskDetails;
  /** The access needed to decide the request. */
  readonly required: RequiredAccess;
  readonly askedMs: number;
  readonly expiresMs: number;
  readonly decision: AskDecision | null;
  /** When the decision was carried out and shown, or the request expired. */
  readonly finishedMs: number | null;
}

/** Returns whether the asker approved the request without a second person. */
export function isBrokenGlass({ actor, decision }: Pick<Ask, 'actor' | 'decision'>): boolean {
  return decision?.verdict === 'approved' && decision.by === actor.userId;
}

export type NewAsk = Pick<Ask, 'actor' | 'kind' | 'subject' | 'title' | 'required' | 'expiresMs'> &
  Partial<Pick<Ask, 'details'>>;

/** A narrower request, as typed by the decider. */
export interface Narrowing {
  readonly vps: string;
  readonly for: string;
}

export interface AskRules {
  /** The activity log's name for the decision. */
  readonly operation: string;
  /** Whether, on approval, the asker must still have the access needed to decide the request. */
  readonly needsAskersAccess: boolean;
  /** Carries out an approved request. Must be idempotent, because it's called again after a crash. */
  carryOut(ask: Ask): Promise<void>;
  /** What the asker can do after an approval. */
  readonly advice?: string;
  /** Returns what an approval would allow, if dangerous. */
  findRisk?(ask: Pick<Ask, 'subject'>): string | undefined;
  /**
   * Narrows a request. Throws `input_invalid` if the result isn't narrower. Left out if requests of this
   * kind can only be approved in full.
   */
  narrow?(ask: Ask, less: Narrowing): Pick<Ask, 'subject' | 'title'>;
}
