import type { webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import { toGranteeKind } from '../../auth/grants/grantee.ts';
import type {
  GroupLookup,
  Lookup,
  MemberDirectory,
  MemberType,
  Person,
} from '../../auth/member-directory.ts';
import { createTtlCache } from '../../ttl-cache.ts';
import type { SlackClients } from './slack-clients.ts';
import { isSlackPlatformError } from './slack-errors.ts';

/** How long a member's type and group membership are cached. Someone who loses access can keep it for this long. */
const memberTtlMs = 60_000;

/** How long a type is cached if it is an admin's or must be recent. Short, because admins can do everything. */
const adminTtlMs = 5_000;

/** How long the list of admins is cached. It only determines which admins get access requests. */
const adminsTtlMs = 10 * 60_000;

/** Page size and maximum number of pages for `users.list`. Slack recommends 200 members per page and accepts 1,000. */
const pageSize = 1_000;
const maxPages = 20;

/** Slack's errors for people who don't exist or aren't visible to the app. */
const unknownPersonErrors: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type User = NonNullable<webApi.UsersInfoResponse['user']>;
type Member = NonNullable<webApi.UsersListResponse['members']>[number];

interface MemberRef {
  readonly teamId: string;
  readonly id: string;
}

/** Reads members, user groups and admins from Slack's API. Results are cached. */
export function createSlackDirectory(
  clients: SlackClients,
  log: Pick<Logger, 'warn'>,
  now: () => number,
): MemberDirectory {
  async function askForPerson({ teamId, id }: MemberRef) {
    const client = await clients(teamId);
    try {
      const { user } = await client.users.info({ user: id });
      const name = user?.profile?.display_name || user?.name || id;
      return { memberType: toMemberType(user, teamId), name };
    } catch (error) {
      if (!isSlackPlatformError(error) || !unknownPersonErrors.has(error.data.error)) throw error;
      return { memberType: 'unknown' as const, name: id };
    }
  }

  const readPerson = createTtlCache({
    read: askForPerson,
    toKey: toMemberKey,
    ttlMs: ({ memberType }) => (memberType === 'admin' ? adminTtlMs : memberTtlMs),
    now,
  });
  const readRecent = createTtlCache({ read: askForPerson, toKey: toMemberKey, ttlMs: adminTtlMs, now });

  const readGroupMembers = createTtlCache({
    read: async ({ teamId, id }: MemberRef): Promise<GroupLookup> => {
      const client = await clients(teamId);
      try {
        const { users } = await client.usergroups.users.list({ usergroup: id });
        return { kind: 'found', value: new Set(users) };
      } catch (error) {
        if (isSlackPlatformError(error) && error.data.error === 'no_such_subteam')
          return { kind: 'notFound' };
        throw error;
      }
    },
    toKey: toMemberKey,
    ttlMs: memberTtlMs,
    now,
  });

  const readGroups = createTtlCache({
    read: async (teamId: string) => {
      const client = await clients(teamId);
      const { usergroups = [] } = await client.usergroups.list();
      return usergroups.flatMap(({ id, handle = '', name = handle }) =>
        id === undefined ? [] : [{ id, handle, name }],
      );
    },
    toKey: (teamId) => teamId,
    ttlMs: memberTtlMs,
    now,
  });

  async function listPeople(teamId: string, memberTypes: readonly MemberType[]): Promise<readonly Person[]> {
    const client = await clients(teamId);
    const people: Person[] = [];
    let cursor = '';
    for (let page = 0; page < maxPages; page += 1) {
      const { members = [], response_metadata } = await client.users.list({
        limit: pageSize,
        ...(cursor && { cursor }),
      });
      people.push(
        ...members.flatMap((member) => {
          const { id, name = id, profile } = member;
          const isListed = id !== undefined && memberTypes.includes(toMemberType(member, teamId));
          return isListed ? [{ id, name: profile?.display_name || name || id }] : [];
        }),
      );
      cursor = response_metadata?.next_cursor ?? '';
      if (cursor === '') break;
    }
    return people;
  }

  const readAdmins = createTtlCache({
    read: async (teamId: string) => (await listPeople(teamId, ['admin'])).map(({ id }) => id),
    toKey: (teamId) => teamId,
    ttlMs: adminsTtlMs,
    now,
  });

  const readMembers = createTtlCache({
    read: (teamId: string) => listPeople(teamId, ['admin', 'member']),
    toKey: (teamId) => teamId,
    ttlMs: memberTtlMs,
    now,
  });

  async function lookUp<Value>(reading: Promise<Value>): Promise<Lookup<Value>> {
    try {
      return { kind: 'found', value: await reading };
    } catch (error) {
      log.warn({ err: error }, 'a member or group could not be looked up in Slack');
      return { kind: 'unknown' };
    }
  }

  return {
    async findMemberType({ teamId, userId }, { mustBeRecent = false } = {}) {
      const read = mustBeRecent ? readRecent : readPerson;
      const person = await lookUp(read({ teamId, id: userId }));
      return person.kind === 'found' ? person.value.memberType : 'unknown';
    },
    async findDisplayName(teamId, id) {
      if (toGranteeKind(id) === 'everyone') return id;
      if (toGranteeKind(id) === 'person') {
        const person = await lookUp(readPerson({ teamId, id }));
        return person.kind === 'found' ? person.value.name : id;
      }
      const userGroups = await lookUp(readGroups(teamId));
      return (userGroups.kind === 'found' && userGroups.value.find((group) => group.id === id)?.handle) || id;
    },
    async listGroupMembers(teamId, groupId) {
      const members = await lookUp(readGroupMembers({ teamId, id: groupId }));
      return members.kind === 'found' ? members.value : members;
    },
    listMembers: (teamId) => lookUp(readMembers(teamId)),
    listUserGroups: (teamId) => lookUp(readGroups(teamId)),
    listAdmins: (teamId) => lookUp(readAdmins(teamId)),
  };
}

function toMemberKey({ teamId, id }: MemberRef): string {
  return `${teamId}/${id}`;
}

/** Slackbot's ID. Needed because its user flags don't mark it as a bot. */
const slackbot = 'USLACKBOT';

/** Returns a user's type in a workspace. If a field is missing, assumes the type with less access. */
export function toMemberType(user: User | Member | undefined, teamId: string): MemberType {
  if (!user?.id || user.team_id === undefined) return 'unknown';
  if (user.deleted) return 'deleted';
  if (user.is_bot || user.is_workflow_bot || user.id === slackbot) return 'bot';
  if (isExternal(user, teamId)) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  // With an organization's token, the flags can be from the user's home workspace.
  const isHome = user.team_id === teamId;
  return isHome && (user.is_admin || user.is_owner || user.is_primary_owner) ? 'admin' : 'member';
}

/**
 * Returns whether a user belongs to another organization. In Enterprise Grid, a user of the same
 * organization belongs to the workspaces in `teams`.
 */
function isExternal(user: User | Member, teamId: string): boolean {
  if ('is_stranger' in user && user.is_stranger) return true;
  const teams = user.enterprise_user?.teams ?? [];
  return user.team_id !== teamId && !teams.includes(teamId);
}
