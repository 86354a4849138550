import type { Fact, Outcome, Value } from '../../operations/outcome.ts';
import { includesRight, type Right, rights } from '../../operations/right.ts';
import type { Held, Situation } from './decision.ts';
import { kindOf } from './grantee.ts';
import { scopeWords } from './pattern.ts';
import type { ChannelLimit, Grant } from './rights-store.ts';

/** The buttons that open the dialogs in which rights are changed. */
export const grantStep = { label: 'Grant…', operation: 'access grant', input: {}, opensForm: true };
const limitStep = { label: 'Limit a Channel…', operation: 'access channel', input: {}, opensForm: true };
const revokeStep = { label: 'Revoke…', operation: 'access', input: {}, opensForm: true };
const askStep = { label: 'Ask for a Right…', operation: 'access ask', input: {}, opensForm: true };

/** Everything that was granted to one of one right, by whom it was last. */
export interface GrantGroup {
  readonly grantee: string;
  readonly right: Right;
  readonly patterns: readonly string[];
  readonly by: string | null;
}

/** Most patterns that are told together: a button carries them. */
const mostTogether = 20;

/** Puts grants together that are to the same of the same right; the highest first, and each of them in the order in which it was given. */
export function groupGrants(grants: readonly Grant[]): readonly GrantGroup[] {
  const groups: (GrantGroup & { patterns: string[] })[] = [];
  for (const { grantee, right, pattern, by } of grants) {
    const group = groups.find(
      (one) => one.grantee === grantee && one.right === right && one.patterns.length < mostTogether,
    );
    if (group) group.patterns.push(pattern);
    else groups.push({ grantee, right, patterns: [pattern], by });
  }
  return groups.sort((a, b) => rights.indexOf(b.right) - rights.indexOf(a.right));
}

/** Names whom a right was granted to. */
export function granteeValue(id: string): Value {
  if (kindOf(id) === 'everyone') return 'every member';
  return kindOf(id) === 'group' ? { userGroup: id } : { person: id };
}

/** Tells who may what, to who may change it. */
export function describeAccess(grants: readonly Grant[], limits: readonly ChannelLimit[]): Outcome {
  return {
    title: 'Who may do what',
    facts: [
      { label: 'Owners and admins of this workspace', value: 'administer' },
      ...limits.map(({ channel, most }): Fact => ({ label: `At most ${most}`, value: { channel } })),
    ],
    table: {
      columns: ['Who', 'May', 'On', 'Granted by'],
      rows: groupGrants(grants).map(({ grantee, right, patterns, by }) => [
        granteeValue(grantee),
        right,
        scopeWords(patterns),
        by === null ? 'the installation' : { person: by },
      ]),
    },
    notes: grants.length === 0 ? ['Nobody else may do anything yet.'] : [],
    next: [grantStep, ...(grants.length === 0 ? [] : [revokeStep]), limitStep],
  };
}

/** Tells somebody what they may do. */
export function describeOwn(
  { standing, held, isUnsure }: Pick<Situation, 'standing' | 'held' | 'isUnsure'>,
  channelMost: Right | undefined,
): Outcome {
  const isAdmin = standing === 'admin';
  const mayDo = isAdmin ? [{ label: 'administer', value: 'everything' }] : ownFacts(held);
  const here =
    channelMost === undefined ? [] : [{ label: 'In this channel', value: `at most ${channelMost}` }];
  return {
    title: mayDo.length > 0 ? 'What you may do' : 'You may do nothing here yet',
    facts: [...mayDo, ...here],
    notes: [
      ...(isUnsure ? ['Slack could not say which groups you are in: there may be more.'] : []),
      ...(mayDo.length > 0
        ? ['Each right includes those before it: look, change, destroy, administer.']
        : []),
      ...(isAdmin && channelMost !== undefined
        ? ['The limit can be lifted from a channel that is not limited: by /vps access there.']
        : []),
    ],
    next: isAdmin ? [] : [askStep],
  };
}

/** What a wider right on the same includes is not told again. */
function ownFacts(held: readonly Held[]): readonly Fact[] {
  return rights.toReversed().flatMap((right): readonly Fact[] => {
    const patterns = held
      .filter(
        (one) =>
          one.right === right &&
          !held.some(
            (other) =>
              other.pattern === one.pattern && other.right !== right && includesRight(other.right, right),
          ),
      )
      .map(({ pattern }) => pattern);
    return patterns.length === 0 ? [] : [{ label: right, value: scopeWords([...new Set(patterns)]) }];
  });
}
