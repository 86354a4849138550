import { RackhandError } from '../../../errors.ts';
import type { NextStep } from '../outcome.ts';
import type { Actor, Origin } from './actor.ts';
import type { Right } from './right.ts';

/** The access that a run needs. */
export interface RequiredAccess {
  readonly right: Right;
  /** The VPS that the run names. If empty, the run concerns all VPS. */
  readonly vps: readonly string[];
  /**
   * Whether a right on any single VPS is enough, because no VPS is named yet or because the result is
   * filtered by rights.
   */
  readonly isAnyVpsEnough?: boolean;
}

/** Why a person isn't allowed to do something, who can help, and buttons to ask for access. */
export interface Denial {
  readonly message: string;
  readonly advice: string;
  readonly nextSteps?: readonly NextStep[];
  /** Set if the rights are unknown because a Slack lookup failed. Trying again may succeed. */
  readonly isUnknown?: boolean;
}

export function toDenialCode({ isUnknown }: Denial): 'member_unknown' | 'not_permitted' {
  return isUnknown ? 'member_unknown' : 'not_permitted';
}

/** Returns the denial to show if Slack can't confirm that another person still has a right. */
export function denyUncheckedPerson(person: string): Denial {
  return {
    message: `Slack couldn't confirm that ${person} still has the right to do so.`,
    advice: 'Try again in a minute.',
    isUnknown: true,
  };
}

/** Returns why the person lacks the needed access, or undefined if they have it. */
export type CheckAccess = (need: RequiredAccess) => Denial | undefined;

/** Loads a function that checks a person's rights in a channel. Rights that weren't granted are denied. */
export type ResolveAccess = (actor: Actor, origin: Origin) => Promise<CheckAccess>;

/** Returns whether the person is allowed to view a VPS. */
export function canViewVps(checkAccess: CheckAccess, vps: string): boolean {
  return checkAccess({ right: 'view', vps: [vps] }) === undefined;
}

/**
 * Thrown by an operation that checks rights itself. The person then gets the denial's buttons for
 * requesting access.
 */
export class DeniedError extends RackhandError {
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(toDenialCode(denial), denial.message);
    this.denial = denial;
  }
}
