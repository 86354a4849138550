import type { Actor } from '../operations/define/access/actor.ts';
import { deniedProblem, type Problem } from '../runs/problem.ts';
import { denyNonMember } from './denial.ts';
import { isMember, type MemberDirectory } from './member-directory.ts';

/** Returns why the actor can't use Rackhand in this workspace (guest, external, unknown), or undefined. */
export type MemberGuard = (actor: Actor) => Promise<Problem | undefined>;

/** Creates a guard that checks membership before any rights are looked up. */
export function createMemberGuard(directory: Pick<MemberDirectory, 'findMemberType'>): MemberGuard {
  return async (actor) => {
    const memberType = await directory.findMemberType(actor);
    return isMember(memberType) ? undefined : deniedProblem(denyNonMember(memberType));
  };
}
