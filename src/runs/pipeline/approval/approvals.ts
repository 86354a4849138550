import type { Database } from '../../../db/engines/database.ts';
import type { RequiredAccess } from '../../../operations/define/access/access.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { Run } from '../../run.ts';
import type { ChangeRun } from '../run-context.ts';

export interface ApprovalRoute {
  /** The card's channel. If `null`, approvers get a direct message. */
  readonly channel: string | null;
  /** The ID of the user group to ask. By default, everyone who can approve is asked. */
  readonly userGroup?: string | undefined;
  /** Whether admins can approve their own changes by giving a reason. */
  readonly allowsBreakGlass?: boolean;
}

/** Returns where a rule asks for approval of a change, or undefined if no rule does. */
export type FindApprovalRoute = (
  change: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
) => Promise<ApprovalRoute | undefined>;

/** Like `FindApprovalRoute`, for a change that isn't a run yet. */
export type FindApprovalRouteFor = (
  change: Pick<ChangeRun, 'operation' | 'parsed'> & { readonly run: Pick<Run, 'actor'> },
) => Promise<ApprovalRoute | undefined>;

export interface ApprovalRequest {
  readonly actor: Actor;
  readonly kind: 'run';
  /** Identifies the exact request and the state of its target. */
  readonly subject: string;
  readonly title: string;
  readonly required: RequiredAccess;
  readonly expiresMs: number;
  readonly details: {
    /** What approvers need to know besides the title. */
    readonly facts: readonly Fact[];
    /** What will be lost or interrupted. */
    readonly warning?: string | undefined;
    readonly notes: readonly string[];
    /** The button's verb, such as "Reboot". */
    readonly button: string;
    readonly isDestructive: boolean;
    readonly channel?: string | undefined;
  };
}

export interface Approvals {
  /**
   * Chooses whom to ask. `put` stores the request and its cards in the transaction that makes the run
   * wait. If `messageKey` is given, the message with this key is the card.
   */
  prepare(
    request: ApprovalRequest & {
      readonly route: ApprovalRoute;
      readonly details: { readonly messageKey?: string | undefined };
    },
  ): Promise<
    | { readonly kind: 'ready'; readonly id: string; put(transaction: Database): Promise<void> }
    | { readonly kind: 'nobody' | 'unreachable' }
  >;
  /** Replaces the content of an approval request and updates its cards. */
  renew(askId: string, request: ApprovalRequest, transaction: Database): Promise<void>;
}
