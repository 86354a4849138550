import type { MessageRef } from '../messages/message.ts';
import type { RequiredAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Fact, NextStep } from '../operations/define/outcome.ts';
import type { ApprovalRoute } from '../runs/pipeline/approval/approval-route.ts';

export const askKinds = ['access', 'drop_rule', 'revoke_admin', 'reveal', 'schedule'] as const;

/**
 * What is asked for: a right, deleting an approval rule, revoking the right admin, seeing a secret, or
 * scheduling a change.
 */
export type AskKind = (typeof askKinds)[number];

export type AskVerdict = 'approved' | 'declined';

export interface AskDecision {
  readonly verdict: AskVerdict;
  /** The asker's own ID if they withdrew the request. */
  readonly by: string;
  readonly atMs: number;
}

/** A request that somebody else has to decide. */
export interface Ask {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: AskKind;
  /** Exactly what an approval applies to, such as the ID of a rule. Its kind defines the format. */
  readonly subject: string;
  /** What is asked for, in words: "Delete the approval rule for reboot". */
  readonly title: string;
  /** Why, and what the asker has now. */
  readonly facts: readonly Fact[];
  /** What the asker can do once it is approved. */
  readonly followUpStep: NextStep | null;
  /** The access that a person needs to decide. */
  readonly required: Pick<RequiredAccess, 'right' | 'vps'>;
  /** The messages that ask for a decision. */
  readonly cards: readonly MessageRef[];
  readonly askedMs: number;
  readonly expiresMs: number;
  readonly decision: AskDecision | null;
}

export type NewAsk = Omit<Ask, 'id' | 'cards' | 'decision' | 'askedMs' | 'facts' | 'followUpStep'> &
  Partial<Pick<Ask, 'facts' | 'followUpStep'>>;

/** Less than what was asked for, as the decider typed it. */
export interface Narrowing {
  readonly vps: string;
  readonly for: string;
}

/** What a kind of request adds. */
export interface AskRules {
  /** The activity log's name for the decision. */
  readonly operation: string;
  /** Whether the request can be approved only while its asker has the access that a decider needs. */
  readonly needsAskersAccess: boolean;
  /** Carries out an approved request. Called again after a crash, and then must not do it twice. */
  carryOut(ask: Ask): Promise<void>;
  /** What the asker can do after an approval. */
  readonly advice?: string;
  /** Returns what an approval makes possible, if that is dangerous. */
  findRisk?(ask: Ask): string | undefined;
  /** Returns a request for less. Declared only if a decider can approve a part. Throws `input_invalid`. */
  narrow?(ask: Ask, less: Narrowing): Pick<Ask, 'subject' | 'title'>;
}

/** Shows requests in Slack. */
export interface AskCards {
  /** Posts the cards in the channel of the rule, or as direct messages to these people. Returns the cards. */
  send(
    ask: Ask,
    people: readonly string[],
    options: {
      readonly route: ApprovalRoute;
      readonly canBeNarrowed: boolean;
      /** What an approval makes possible. A dialog says it before the approval. */
      readonly risk?: string | undefined;
    },
  ): Promise<readonly MessageRef[]>;
  /** Replaces the buttons of the cards by the decision, and notifies the asker. */
  showDecision(ask: Ask, advice: string | undefined): Promise<void>;
}
