import type { Right } from '../../operations/define/access/right.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import { isMember, type MemberDirectory, type MemberType } from '../member-directory.ts';
import { allVps } from '../vps-pattern.ts';
import type { NewGrant } from './grant-store.ts';
import { everyone, toGranteeKind } from './grantee.ts';

/**
 * Returns the problems with a grant. The grantees must be members or existing groups, and `admin` can be
 * granted only on all VPS.
 */
export async function validateGrant(
  teamId: string,
  { grantees, right, patterns }: NewGrant,
  directory: MemberDirectory,
): Promise<readonly FieldProblem[]> {
  const problems = await Promise.all(grantees.map((id) => validateGrantee(teamId, id, directory)));
  return [...problems.flatMap((problem) => problem ?? []), ...validateScope(grantees, right, patterns)];
}

async function validateGrantee(
  teamId: string,
  id: string,
  directory: MemberDirectory,
): Promise<FieldProblem | undefined> {
  const problem = (message: string): FieldProblem => ({ path: 'who', message });
  const name = `@${await directory.findDisplayName(teamId, id)}`;
  if (toGranteeKind(id) === 'person') {
    const memberType = await directory.findMemberType({ teamId, userId: id });
    return isMember(memberType)
      ? undefined
      : problem(`${name} ${invalidGranteeMessages[memberType] ?? invalidGranteeMessages.unknown}`);
  }
  if (toGranteeKind(id) !== 'group') return undefined;
  const members = await directory.listGroupMembers(teamId, id);
  if (members.kind === 'notFound') return problem(`There's no user group ${id}`);
  if (members.kind === 'unknown') return problem(`${name} ${invalidGranteeMessages.unknown}`);
  return undefined;
}

const invalidGranteeMessages: Partial<Record<MemberType, string>> & { readonly unknown: string } = {
  deleted: 'has a deactivated account',
  guest: "is a guest, and guests can't use Rackhand",
  bot: "is an app, and apps can't use Rackhand",
  external: 'is not a member of this workspace',
  unknown: "couldn't be looked up in Slack: try again in a minute",
};

function validateScope(
  grantees: readonly string[],
  right: Right,
  patterns: readonly string[],
): readonly FieldProblem[] {
  if (right !== 'admin') return [];
  if (!patterns.includes(allVps)) {
    return [{ path: 'vps', message: 'The admin right covers every VPS, so leave the VPS out' }];
  }
  return grantees.includes(everyone)
    ? [{ path: 'right', message: "The admin right can't be granted to everyone: name people or groups" }]
    : [];
}
