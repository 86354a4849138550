import type { RequiredAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { NextStep } from '../operations/define/outcome.ts';
import type { ApprovalRequest } from '../runs/pipeline/approval/approvals.ts';

export const askKinds = ['run', 'access', 'drop_rule', 'revoke_admin', 'reveal', 'schedule'] as const;

/**
 * What is asked for: a run, a right, deleting an approval rule, revoking the admin right, seeing a secret,
 * or scheduling a change.
 */
export type AskKind = (typeof askKinds)[number];

/** The kinds whose decisions are stored first and then carried out. A decision on a run changes the run directly. */
export type CarriedOutKind = Exclude<AskKind, 'run'>;

export type AskVerdict = 'approved' | 'declined';

export interface AskDecision {
  readonly verdict: AskVerdict;
  /** The asker's own ID if they withdrew the request. */
  readonly by: string;
  readonly atMs: number;
}

/** What messages about a request show besides its title. */
export interface AskDetails extends Partial<ApprovalRequest['details']> {
  /** What an approval makes possible, if that is dangerous. A dialog warns about it before the approval. */
  readonly risk?: string | undefined;
  readonly canBeNarrowed?: boolean;
  /** Set if the asker can break the glass: approve it alone. `places` are then notified, with the reason. */
  readonly breakGlass?: { readonly places: readonly string[]; readonly reason?: string };
  /** What the asker can do once the request is approved. */
  readonly followUpStep?: NextStep | undefined;
  /** The key of the message that starts as the card. By default, each card is a separate message. */
  readonly messageKey?: string | undefined;
}

/** A request that someone else has to decide. */
export interface Ask {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: AskKind;
  /** Exactly what an approval applies to, such as the ID of a rule. Its format depends on the kind. */
  readonly subject: string;
  /** The request in words: "Delete the approval rule for reboot". */
  readonly title: string;
  readonly details: AskDetails;
  /** The access that a person needs to decide. */
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

/** What a kind of request declares. */
export interface AskRules {
  /** The activity log's name for the decision. */
  readonly operation: string;
  /** Whether the asker must still have the access that a decider needs when the request is approved. */
  readonly needsAskersAccess: boolean;
  /** Carries out an approved request. Must be idempotent, because it's called again after a crash. */
  carryOut(ask: Ask): Promise<void>;
  /** What the asker can do after an approval. */
  readonly advice?: string;
  /** Returns what an approval makes possible, if that is dangerous. */
  findRisk?(ask: Pick<Ask, 'subject'>): string | undefined;
  /** Returns a request for less, or throws `input_invalid`. Declared only if a part can be approved. */
  narrow?(ask: Ask, less: Narrowing): Pick<Ask, 'subject' | 'title'>;
}
