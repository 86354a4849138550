import type { Actor } from '../../operations/define/access/actor.ts';
import type { Right } from '../../operations/define/access/right.ts';
import type { ApprovalRoute } from '../../runs/pipeline/approval/approval-route.ts';
import type { MessageRef } from '../../runs/run.ts';

/**
 * The kind of act: deleting an approval rule, revoking the right admin, revealing a secret, or
 * scheduling a change.
 */
export type PendingActKind = 'drop_rule' | 'revoke_admin' | 'reveal' | 'schedule';

export type ActDecision = 'approved' | 'declined';

/** An act on Rackhand's own data that a second person has to approve. */
export interface PendingAct {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: PendingActKind;
  readonly subject: string;
  /** The act and its target: "Delete the approval rule for reboot". */
  readonly title: string;
  /** The access that the second person needs. */
  readonly right: Right;
  readonly vps: readonly string[];
  readonly cards: readonly MessageRef[];
  readonly expiresMs: number;
  readonly decision: { readonly kind: ActDecision; readonly by: string } | null;
}

/** Shows pending acts in Slack. */
export interface PendingActCards {
  /** Posts the cards that ask these people, in the channel of the rule or as direct messages. Returns the cards. */
  send(act: PendingAct, people: readonly string[], route: ApprovalRoute): Promise<readonly MessageRef[]>;
  /** Replaces the buttons of the cards by the decision, and notifies the requester. */
  showDecision(act: PendingAct): Promise<void>;
}
