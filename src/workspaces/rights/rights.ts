import { includesRight, type Right } from '../../operations/right.ts';
import type { Access, Need, Reach } from '../../operations/runs/access.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { decide, type Held, type Situation } from './decision.ts';
import type { Directory } from './directory.ts';
import { everyone, kindOf } from './grantee.ts';
import { covers, everything } from './pattern.ts';
import { refusalOf } from './refusal.ts';
import type { Grant, RightsStore } from './rights-store.ts';

/** Tells who may do what. */
export interface Rights {
  readonly access: Access;
  /** Gives what somebody holds, wherever they are. */
  holdingsOf(asker: Asker): Promise<Pick<Situation, 'standing' | 'held' | 'isUnsure'>>;
  /**
   * Lists the people who may do something, by what they own or were granted, as persons or in groups: as many as can be known. What
   * every member may is not listed.
   */
  peopleWith(teamId: string, need: Need): Promise<readonly string[]>;
}

interface RightsParts {
  readonly store: Pick<RightsStore, 'grants' | 'limitOf'>;
  readonly directory: Directory;
}

/** Creates what tells who may do what. */
export function createRights({ store, directory }: RightsParts): Rights {
  /** Tells whether a grant is to somebody; nothing where Slack cannot say who is in the group. */
  async function isTo({ grantee }: Grant, { teamId, userId }: Asker): Promise<boolean | undefined> {
    if (grantee === userId || grantee === everyone) return true;
    if (kindOf(grantee) !== 'group') return false;
    const members = await directory.membersOf(teamId, grantee);
    if (members === 'unknown') return undefined;
    return members !== 'no such group' && members.has(userId);
  }

  async function holdingsOf(asker: Asker) {
    const standing = await directory.standingOf(asker);
    // Who owns the workspace needs no grant, and who is no member has none.
    if (standing !== 'member') return { standing, held: [], isUnsure: false };
    const grants = await store.grants(asker.teamId);
    const mine = await Promise.all(
      grants.map(async (grant) => ({ grant, isMine: await isTo(grant, asker) })),
    );
    return {
      standing,
      held: mine.flatMap(({ grant, isMine }): readonly Held[] => (isMine ? [grant] : [])),
      isUnsure: mine.some(({ isMine }) => isMine === undefined),
    };
  }

  return {
    async access(asker, { channel }) {
      const [holdings, channelMost] = await Promise.all([
        holdingsOf(asker),
        channel === undefined ? undefined : store.limitOf(asker.teamId, channel),
      ]);
      const situation: Situation = { ...holdings, ...(channelMost && { channelMost }) };
      const reach: Reach = (need) => refusalOf(decide(situation, need), need);
      return reach;
    },

    holdingsOf,

    async peopleWith(teamId, need) {
      const [admins, grants] = await Promise.all([directory.adminsOf(teamId), store.grants(teamId)]);
      const people = new Set(admins === 'unknown' ? [] : admins);
      for (const { grantee } of grants.filter((grant) => isEnough(grant, need))) {
        if (kindOf(grantee) === 'person') people.add(grantee);
        if (kindOf(grantee) !== 'group') continue;
        const members = await directory.membersOf(teamId, grantee);
        if (typeof members !== 'string') for (const member of members) people.add(member);
      }
      return [...people];
    },
  };
}

/** Tells whether one grant alone is enough for everything that is needed. */
function isEnough({ right, pattern }: { right: Right; pattern: string }, need: Need): boolean {
  if (!includesRight(right, need.right)) return false;
  if (need.vps.length === 0) return need.isForSome || pattern === everything;
  return need.vps.every((name) => covers(pattern, name));
}
