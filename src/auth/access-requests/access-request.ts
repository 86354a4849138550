import type { Actor } from '../../operations/define/access/actor.ts';
import type { Right } from '../../operations/define/access/right.ts';
import type { Fact, NextStep } from '../../operations/define/outcome.ts';
import type { MessageRef } from '../../runs/run.ts';
import { formatScope } from '../vps-pattern.ts';

export type RequestDecision = 'granted' | 'declined';

/** A member's request for a right. */
export interface AccessRequest {
  readonly id: string;
  readonly actor: Actor;
  readonly right: Right;
  readonly patterns: readonly string[];
  /** The denied command, as a button that the actor can press once the right is granted. */
  readonly followUpStep: NextStep | null;
  /** The messages that ask people with the right *admin* to decide. */
  readonly cards: readonly MessageRef[];
  readonly requestedMs: number;
  readonly decision: { readonly kind: RequestDecision; readonly by: string } | null;
}

/** Shows access requests in Slack. */
export interface AccessRequestCards {
  /** Asks a person in a direct message. Returns undefined if they can't be reached. */
  send(
    request: AccessRequest,
    person: string,
    currentAccess: readonly Fact[],
  ): Promise<MessageRef | undefined>;
  /**
   * Shows requests of a person, open and decided ones, in their order on the cards of the first one.
   * Returns the cards that could be edited.
   */
  edit(requests: readonly AccessRequest[], currentAccess: readonly Fact[]): Promise<readonly MessageRef[]>;
  /** Tells the actor what was decided. */
  notify(request: AccessRequest): Promise<void>;
}

/** How long a request can be decided. */
export const requestTtlMs = 7 * 24 * 60 * 60_000;

/** Formats the requested right, such as "operate on VPS-10001". */
export function formatRequest({ right, patterns }: Pick<AccessRequest, 'right' | 'patterns'>): string {
  return `${right} on ${formatScope(patterns)}`;
}
