import { erasedPerson } from '../db/erased-person.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { decideAccess } from './access-decision.ts';
import type { Authorizer } from './authorizer.ts';

/**
 * Whether the creator of a report, watch or schedule can still view its VPS. `left`: the creator is no
 * longer a member of the workspace. `denied`: the creator can't view one of the VPS. `unknown`: Slack
 * can't say.
 */
export type CreatorStanding = 'allowed' | 'left' | 'denied' | 'unknown';

/**
 * Returns whether a creator can still view some VPS, regardless of any channel limit. If no VPS is given,
 * the right to view any VPS is enough. Called each time one of the creator's reports, watches or schedules
 * is due.
 */
export type FindCreatorStanding = (creator: Actor, vps: readonly string[]) => Promise<CreatorStanding>;

export function createCreatorCheck({
  findHeldRights,
}: Pick<Authorizer, 'findHeldRights'>): FindCreatorStanding {
  return async (creator, vps) => {
    if (creator.userId === erasedPerson) return 'left';
    const held = await findHeldRights(creator);
    const decision = decideAccess(held, { right: 'view', vps, isAnyVpsEnough: vps.length === 0 });
    switch (decision.kind) {
      case 'allowed':
      case 'unknown':
        return decision.kind;
      case 'nonMember':
        return decision.memberType === 'unknown' ? 'unknown' : 'left';
      case 'channelLimited':
      case 'missing':
        return 'denied';
    }
  };
}
