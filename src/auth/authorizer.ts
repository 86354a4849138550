import type { CheckAccess, RequiredAccess, ResolveAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { decideAccess, findMissingVps, type HeldAccess, type HeldRight } from './access-decision.ts';
import { toDenial } from './denial.ts';
import type { Grant, GrantStore } from './grants/grant-store.ts';
import { everyone, toGranteeKind } from './grants/grantee.ts';
import { isMember, type Lookup, type MemberDirectory } from './member-directory.ts';

/** Maximum number of people to look up in Slack, because groups with a grant can be large. */
const maxMembersChecked = 50;

/** Decides who is allowed to do what. */
export interface Authorizer {
  readonly resolveAccess: ResolveAccess;
  /** Returns the rights that the actor holds, regardless of any channel limit. */
  findHeldRights(
    actor: Actor,
  ): Promise<Pick<HeldAccess, 'memberType' | 'heldRights' | 'isGroupMembershipUnknown'>>;
  /**
   * Lists people with the required access, except those who have it only through a grant to everyone.
   * People who have it through a personal or user group grant come before workspace owners and admins.
   */
  listPeopleWith(teamId: string, required: RequiredAccess): Promise<readonly string[]>;
  /** Like `listPeopleWith`, but also says whether the list is complete. */
  findPeopleWith(teamId: string, required: RequiredAccess): Promise<FoundPeople>;
}

export interface FoundPeople {
  readonly people: readonly string[];
  /** Whether the list is complete. False if Slack didn't answer. */
  readonly isComplete: boolean;
}

interface AuthorizerDependencies {
  readonly store: Pick<GrantStore, 'listGrants' | 'findChannelLimit'>;
  readonly directory: MemberDirectory;
}

export function createAuthorizer({ store, directory }: AuthorizerDependencies): Authorizer {
  /**
   * Returns whether a grant applies to the actor. Returns undefined if the grant is to a group whose
   * members are unknown.
   */
  async function appliesTo({ grantee }: Grant, { teamId, userId }: Actor): Promise<boolean | undefined> {
    if (grantee === userId || grantee === everyone) return true;
    if (toGranteeKind(grantee) !== 'group') return false;
    const members = await directory.listGroupMembers(teamId, grantee);
    if (members.kind === 'unknown') return undefined;
    return members.kind === 'found' && members.value.has(userId);
  }

  async function findHeldRights(actor: Actor) {
    const known = await directory.findMemberType(actor);
    // Owners and admins need no grants, and non-members can't have any.
    if (known !== 'member') return { memberType: known, heldRights: [], isGroupMembershipUnknown: false };
    const grants = await store.listGrants(actor.teamId);
    const checked = await Promise.all(
      grants.map(async (grant) => ({ grant, isMine: await appliesTo(grant, actor) })),
    );
    const isAdmin = checked.some(({ grant, isMine }) => isMine && grant.right === 'admin');
    const memberType = isAdmin ? await directory.findMemberType(actor, { mustBeRecent: true }) : known;
    return {
      memberType,
      heldRights: checked.flatMap(({ grant, isMine }): readonly HeldRight[] => (isMine ? [grant] : [])),
      isGroupMembershipUnknown: checked.some(({ isMine }) => isMine === undefined),
    };
  }

  /** Lists the people that a grantee stands for: the person, or the members of the group. Empty for `everyone`. */
  async function listCandidates(teamId: string, grantee: string): Promise<Lookup<readonly string[]>> {
    const kind = toGranteeKind(grantee);
    if (kind === 'person') return { kind: 'found', value: [grantee] };
    const nobody = { kind: 'found', value: [] } as const;
    if (kind !== 'group') return nobody;
    const members = await directory.listGroupMembers(teamId, grantee);
    if (members.kind === 'notFound') return nobody;
    return members.kind === 'found' ? { kind: 'found', value: [...members.value] } : members;
  }

  /** Finds the people with a personal or group grant who are still members of the workspace. */
  async function findGrantees(teamId: string, grants: readonly Grant[]): Promise<FoundPeople> {
    const lists = await Promise.all(grants.map(({ grantee }) => listCandidates(teamId, grantee)));
    const candidates = [...new Set(lists.flatMap((list) => (list.kind === 'found' ? list.value : [])))].slice(
      0,
      maxMembersChecked,
    );
    const memberTypes = await Promise.all(
      candidates.map((userId) => directory.findMemberType({ teamId, userId })),
    );
    return {
      people: candidates.filter((_, index) => isMember(memberTypes[index] ?? 'unknown')),
      isComplete: lists.every(({ kind }) => kind === 'found') && !memberTypes.includes('unknown'),
    };
  }

  async function findPeopleWith(teamId: string, required: RequiredAccess): Promise<FoundPeople> {
    const [admins, grants] = await Promise.all([directory.listAdmins(teamId), store.listGrants(teamId)]);
    const granted = await findGrantees(
      teamId,
      grants.filter((grant) => findMissingVps([grant], required) === undefined),
    );
    return {
      people: [...new Set([...granted.people, ...(admins.kind === 'found' ? admins.value : [])])],
      isComplete: granted.isComplete && admins.kind === 'found',
    };
  }

  return {
    async resolveAccess(actor, { channel }) {
      const [held, channelMaxRight] = await Promise.all([
        findHeldRights(actor),
        channel === undefined ? undefined : store.findChannelLimit(actor.teamId, channel),
      ]);
      const heldAccess: HeldAccess = { ...held, ...(channelMaxRight && { channelMaxRight }) };
      const checkAccess: CheckAccess = (required) => toDenial(decideAccess(heldAccess, required), required);
      return checkAccess;
    },

    findHeldRights,

    findPeopleWith,

    async listPeopleWith(teamId, required) {
      return (await findPeopleWith(teamId, required)).people;
    },
  };
}
