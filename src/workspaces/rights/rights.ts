import { includesRight, type Right } from '../../operations/right.ts';
import type { Access, Need, Reach } from '../../operations/runs/access.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { decide, type Held, type Situation } from './decision.ts';
import { belongs, type Directory } from './directory.ts';
import { everyone, kindOf } from './grantee.ts';
import { everything, fits } from './pattern.ts';
import { refusalOf } from './refusal.ts';
import type { Grant, RightsStore } from './rights-store.ts';

/** Members of groups whose standing is looked up, at most. */
const mostLookedUp = 50;

/** Tells who may do what. */
export interface Rights {
  readonly access: Access;
  /** Gives what somebody holds, wherever they are. */
  holdingsOf(asker: Asker): Promise<Pick<Situation, 'standing' | 'held' | 'isUnsure'>>;
  /**
   * Lists people who may do something, as far as they can be known: first those who were granted it, themselves or in groups, then those
   * who own or administer the workspace. Who may it only as every member may is not listed.
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

  /** Lists whom grants are to, in groups too, as far as they still belong to the workspace. */
  async function peopleOf(teamId: string, grants: readonly Grant[]): Promise<readonly string[]> {
    const people = await Promise.all(
      grants.map(async ({ grantee }): Promise<readonly string[]> => {
        if (kindOf(grantee) === 'person') return [grantee];
        const members = kindOf(grantee) === 'group' ? await directory.membersOf(teamId, grantee) : 'unknown';
        return typeof members === 'string' ? [] : [...members];
      }),
    );
    // Of large groups as many as will ever be asked.
    const some = [...new Set(people.flat())].slice(0, mostLookedUp);
    const standings = await Promise.all(some.map((userId) => directory.standingOf({ teamId, userId })));
    return some.filter((_, index) => belongs(standings[index] ?? 'unknown'));
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
      const granted = await peopleOf(
        teamId,
        grants.filter((grant) => isEnough(grant, need)),
      );
      return [...new Set([...granted, ...(admins === 'unknown' ? [] : admins)])];
    },
  };
}

/** Tells whether one grant alone is enough for everything that is needed. */
function isEnough({ right, pattern }: { right: Right; pattern: string }, need: Need): boolean {
  if (!includesRight(right, need.right)) return false;
  if (need.vps.length === 0) return need.isForSome || pattern === everything;
  return need.vps.every((name) => fits(pattern, name));
}
