import type { Actor } from '../operations/define/access/actor.ts';
import { deniedProblem, type Problem } from '../runs/problem.ts';
import { denyNonMember } from './denial.ts';
import { isMember, type MemberDirectory } from './member-directory.ts';

/**
 * Returns why the actor can't use Rackhand in this workspace, or undefined if they can. Guests, external
 * people and people of unknown type can't.
 */
export type MemberGuard = (actor: Actor) => Promise<Problem | undefined>;

/** Creates a guard that checks whether the actor is a member, before any rights are looked up. */
export function createMemberGuard(directory: Pick<MemberDirectory, 'findMemberType'>): MemberGuard {
  return async (actor) => {
    const memberType = await directory.findMemberType(actor);
    return isMember(memberType) ? undefined : deniedProblem(denyNonMember(memberType));
  };
}
