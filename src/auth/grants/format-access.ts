import { includesRight, type Right, rightOrder, rights } from '../../operations/define/access/right.ts';
import type { Fact, NextStep, Outcome, Value } from '../../operations/define/outcome.ts';
import type { HeldAccess, HeldRight } from '../access-decision.ts';
import { formatScope } from '../vps-pattern.ts';
import type { ChannelLimit, Grant } from './grant-store.ts';
import { toGranteeKind } from './grantee.ts';

export const grantStep = { label: 'Grant…', operation: 'access grant', input: {}, opensForm: true };
const limitStep = { label: 'Limit a Channel…', operation: 'access channel', input: {}, opensForm: true };
const revokeStep = { label: 'Revoke…', operation: 'access revoke', input: {}, opensForm: true };
const requestStep = { label: 'Request Access…', operation: 'access ask', input: {}, opensForm: true };

/** A grantee and all patterns on which the grantee has the same right. */
export interface GrantGroup {
  readonly grantee: string;
  readonly right: Right;
  readonly isRevealRevoked: boolean;
  readonly patterns: readonly string[];
  readonly grantedBy: string | null;
  readonly expiresMs?: number | undefined;
}

/** Maximum number of patterns per group. The Revoke button's value must contain all of them. */
const maxPatternsPerGroup = 20;

/** Groups grants by grantee and right, highest right first. Grants with the same right keep their order. */
export function groupGrants(grants: readonly Grant[]): readonly GrantGroup[] {
  const groups: (GrantGroup & { patterns: string[] })[] = [];
  for (const { grantee, right, isRevealRevoked = false, pattern, grantedBy, expiresMs } of grants) {
    const group = groups.find(
      (known) =>
        known.grantee === grantee &&
        known.right === right &&
        known.isRevealRevoked === isRevealRevoked &&
        known.expiresMs === expiresMs &&
        known.patterns.length < maxPatternsPerGroup,
    );
    if (group) group.patterns.push(pattern);
    else groups.push({ grantee, right, isRevealRevoked, patterns: [pattern], grantedBy, expiresMs });
  }
  return groups.sort((a, b) => rights.indexOf(b.right) - rights.indexOf(a.right));
}

/** Formats a held right: "operate", or "operate, without reveal". */
export function formatHeldRight({ right, isRevealRevoked }: Omit<HeldRight, 'pattern'>): string {
  return isRevealRevoked ? `${right}, without reveal` : right;
}

export function toGranteeValue(id: string): Value {
  if (toGranteeKind(id) === 'everyone') return 'every member';
  return toGranteeKind(id) === 'group'
    ? { kind: 'userGroup', userGroup: id }
    : { kind: 'person', person: id };
}

/** Maximum number of grant groups for which a list shows a button. */
const maxButtons = 10;

/** Returns a button for revoking each group of grants. Each button asks for confirmation. */
export function toRevokeSteps(
  grants: readonly Grant[],
  formatGrantee: (id: string) => Promise<string>,
): Promise<readonly NextStep[]> {
  const steps = groupGrants(grants)
    .slice(0, maxButtons)
    .map(async ({ grantee, patterns, ...held }) => ({
      label: `Revoke ${await formatGrantee(grantee)}: ${formatHeldRight(held)} on ${formatScope(patterns)}`,
      operation: 'access revoke',
      input: { who: grantee, vps: patterns.join(' '), asksFirst: true },
    }));
  return Promise.all(steps);
}

export function formatAccess(
  grants: readonly Grant[],
  limits: readonly ChannelLimit[],
  revokeSteps: readonly NextStep[],
): Outcome {
  const groups = groupGrants(grants);
  const isAnyTemporary = grants.some(({ expiresMs }) => expiresMs !== undefined);
  return {
    title: 'Access in this workspace',
    facts: [
      { label: 'Workspace owners and admins', value: 'admin' },
      ...limits.map(
        ({ channel, maxRight }): Fact => ({
          label: `At most ${maxRight}`,
          value: { kind: 'channel', channel },
        }),
      ),
    ],
    table: {
      columns: ['Who', 'Right', 'On', ...(isAnyTemporary ? ['Until'] : []), 'Granted by'],
      rows: groups.map(({ grantedBy, expiresMs, ...group }) => [
        toGranteeValue(group.grantee),
        formatHeldRight(group),
        formatScope(group.patterns),
        ...(isAnyTemporary ? [formatEnd(expiresMs)] : []),
        grantedBy === null ? 'the installation' : { kind: 'person', person: grantedBy },
      ]),
    },
    notes: grants.length === 0 ? ['No one else has access yet.'] : [],
    next: [grantStep, limitStep, ...revokeSteps, ...(groups.length > maxButtons ? [revokeStep] : [])],
  };
}

function formatEnd(expiresMs: number | undefined): Value {
  return expiresMs === undefined ? 'no end' : { kind: 'time', timeMs: expiresMs };
}

export function formatOwnAccess(
  {
    memberType,
    heldRights,
    isGroupMembershipUnknown,
  }: Pick<HeldAccess, 'memberType' | 'heldRights' | 'isGroupMembershipUnknown'>,
  channelMaxRight: Right | undefined,
): Outcome {
  const isAdmin = memberType === 'admin';
  const facts: readonly Fact[] = isAdmin ? [{ label: 'admin', value: 'everything' }] : toOwnFacts(heldRights);
  const limit =
    channelMaxRight === undefined ? [] : [{ label: 'In this channel', value: `at most ${channelMaxRight}` }];
  return {
    title: facts.length > 0 ? 'Your access' : "You don't have access yet",
    facts: [...facts, ...limit],
    notes: [
      ...(isGroupMembershipUnknown
        ? ["Slack couldn't confirm which user groups you're in, so you may have more rights."]
        : []),
      ...(facts.length > 0 ? [`Each right includes the ones before it: ${rightOrder}.`] : []),
      ...(isAdmin && channelMaxRight !== undefined
        ? ['The limit applies to admins too. To remove it, run /vps access in a channel without a limit.']
        : []),
    ],
    next: isAdmin ? [] : [requestStep],
  };
}

/** Formats a person's rights, without those included in a higher right on the same pattern. */
function toOwnFacts(held: readonly HeldRight[]): readonly Fact[] {
  const shown = held.filter((one) => !held.some((other) => exceeds(other, one)));
  const labels = rights
    .toReversed()
    .flatMap((right) => [{ right }, { right, isRevealRevoked: true }].map(formatHeldRight));
  return labels.flatMap((label): readonly Fact[] => {
    const patterns = shown.filter((one) => formatHeldRight(one) === label).map(({ pattern }) => pattern);
    return patterns.length === 0 ? [] : [{ label, value: formatScope([...new Set(patterns)]) }];
  });
}

/** Returns whether `other` includes more than `one` does, on the same pattern. */
function exceeds(other: HeldRight, one: HeldRight): boolean {
  if (other.pattern !== one.pattern) return false;
  const revealsLess = (other.isRevealRevoked ?? false) && !one.isRevealRevoked && one.right !== 'view';
  if (other.right === one.right) return (one.isRevealRevoked ?? false) && !other.isRevealRevoked;
  return includesRight(other.right, one.right) && !revealsLess;
}
