import { matchesPattern } from '../operations/choices/matching/matches-pattern.ts';
import type { RequiredAccess } from '../operations/define/access/access.ts';
import { includesRight, type Right } from '../operations/define/access/right.ts';
import { isMember, type MemberType } from './member-directory.ts';
import { allVps } from './vps-pattern.ts';

/** A right on all VPS whose names match a pattern. */
export interface HeldRight {
  readonly right: Right;
  readonly pattern: string;
  /** Whether this right excludes revealing secrets. */
  readonly isRevealRevoked?: boolean;
}

/** Everything that determines which rights an actor has in a channel. */
export interface HeldAccess {
  readonly memberType: MemberType;
  /** Rights granted to the actor, to one of their user groups, or to every member. */
  readonly heldRights: readonly HeldRight[];
  /** Whether a Slack lookup failed. The actor may then be in a group that has more rights. */
  readonly isGroupMembershipUnknown: boolean;
  /** The highest right that can be used in the channel. */
  readonly channelMaxRight?: Right;
}

export type AccessDecision =
  | { readonly kind: 'allowed' }
  /** The actor isn't a member of the workspace, or Slack couldn't look them up. */
  | { readonly kind: 'nonMember'; readonly memberType: MemberType }
  /** The access was granted, but is above the highest right that can be used in this channel. */
  | { readonly kind: 'channelLimited'; readonly maxRight: Right }
  /** The access wasn't granted directly, and the actor's user groups are unknown because a Slack lookup failed. */
  | { readonly kind: 'unknown' }
  /** The access wasn't granted on these VPS. An empty list means all VPS. */
  | { readonly kind: 'missing'; readonly vps: readonly string[] };

/**
 * Decides whether to allow access. The right must be granted on every VPS and not be above the channel's
 * highest right.
 */
export function decideAccess(
  { memberType, heldRights, isGroupMembershipUnknown, channelMaxRight }: HeldAccess,
  required: RequiredAccess,
): AccessDecision {
  if (!isMember(memberType)) return { kind: 'nonMember', memberType };
  const effectiveRights =
    memberType === 'admin' ? [{ right: 'admin', pattern: allVps } as const] : heldRights;
  const missing = findMissingVps(effectiveRights, required);
  if (missing) return isGroupMembershipUnknown ? { kind: 'unknown' } : { kind: 'missing', vps: missing };
  if (channelMaxRight !== undefined && !includesRight(channelMaxRight, required.right)) {
    return { kind: 'channelLimited', maxRight: channelMaxRight };
  }
  return { kind: 'allowed' };
}

/**
 * Returns the VPS on which the held rights aren't enough, or undefined if they are enough. An empty list
 * means all VPS.
 */
export function findMissingVps(
  heldRights: readonly HeldRight[],
  { right: requiredRight, vps, isAnyVpsEnough }: RequiredAccess,
): readonly string[] | undefined {
  const patterns = heldRights
    .filter(
      ({ right, isRevealRevoked }) =>
        includesRight(right, requiredRight) && !(requiredRight === 'reveal' && isRevealRevoked),
    )
    .map(({ pattern }) => pattern);
  if (vps.length === 0) {
    const isHeld = isAnyVpsEnough ? patterns.length > 0 : patterns.includes(allVps);
    return isHeld ? undefined : [];
  }
  const missing = vps.filter((name) => !patterns.some((pattern) => matchesPattern(pattern, name)));
  return missing.length === 0 ? undefined : missing;
}
