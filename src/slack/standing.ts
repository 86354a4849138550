import type { webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Directory, Standing } from '../workspaces/rights/directory.ts';
import { kindOf } from '../workspaces/rights/grantee.ts';
import type { SlackClients } from './clients.ts';
import { createKept } from './kept.ts';
import { isRefusedBySlack } from './slack-error.ts';

/** How long it is kept who somebody is, and who is in a group: so long after it is taken away a right may still be used. */
const keptMs = 60_000;

/** How long it is kept who owns and administers a workspace; only who is asked for a right depends on it. */
const adminsKeptMs = 10 * 60_000;

/** People of one page of `users.list`, and pages that are read at most; Slack advises no more than 200, and takes 1,000. */
const pageSize = 1_000;
const mostPages = 20;

type User = NonNullable<webApi.UsersInfoResponse['user']>;
type Member = NonNullable<webApi.UsersListResponse['members']>[number];

/** Creates what tells who people are, from what Slack says of them. */
export function createDirectory(
  clients: SlackClients,
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): Directory {
  const people = createKept(
    async (key) => {
      const [teamId = '', id = ''] = key.split('/');
      const client = await clients(teamId);
      const { user } = await client.users.info({ user: id });
      const name = user?.profile?.display_name || user?.name || id;
      return { standing: standingOf(user, teamId), name };
    },
    keptMs,
    now,
  );

  const members = createKept(
    async (key): Promise<ReadonlySet<string> | 'no such group'> => {
      const [teamId = '', usergroup = ''] = key.split('/');
      const client = await clients(teamId);
      try {
        return new Set((await client.usergroups.users.list({ usergroup })).users);
      } catch (error) {
        if (isRefusedBySlack(error) && error.data.error === 'no_such_subteam') return 'no such group';
        throw error;
      }
    },
    keptMs,
    now,
  );

  const groups = createKept(
    async (teamId) => {
      const client = await clients(teamId);
      const { usergroups = [] } = await client.usergroups.list();
      return usergroups.flatMap(({ id, handle = '', name = handle }) =>
        id === undefined ? [] : [{ id, handle, name }],
      );
    },
    keptMs,
    now,
  );

  const admins = createKept(
    async (teamId) => {
      const client = await clients(teamId);
      const found: string[] = [];
      let cursor = '';
      for (let page = 0; page < mostPages; page += 1) {
        const { members: people = [], response_metadata } = await client.users.list({
          limit: pageSize,
          ...(cursor && { cursor }),
        });
        found.push(...people.flatMap((one) => (standingOf(one, teamId) === 'admin' && one.id) || []));
        cursor = response_metadata?.next_cursor ?? '';
        if (cursor === '') break;
      }
      return found;
    },
    adminsKeptMs,
    now,
  );

  async function orUnknown<T>(reading: Promise<T>): Promise<T | 'unknown'> {
    try {
      return await reading;
    } catch (error) {
      log.warn({ err: error }, 'Slack could not say who somebody is');
      return 'unknown';
    }
  }

  return {
    async standingOf({ teamId, userId }) {
      const person = await orUnknown(people(`${teamId}/${userId}`));
      return person === 'unknown' ? person : person.standing;
    },
    async nameOf(teamId, id) {
      if (kindOf(id) === 'everyone') return id;
      if (kindOf(id) === 'person') {
        const person = await orUnknown(people(`${teamId}/${id}`));
        return person === 'unknown' ? id : person.name;
      }
      const all = await orUnknown(groups(teamId));
      return (all !== 'unknown' && all.find((group) => group.id === id)?.handle) || id;
    },
    membersOf: (teamId, groupId) => orUnknown(members(`${teamId}/${groupId}`)),
    groupsOf: (teamId) => orUnknown(groups(teamId)),
    adminsOf: (teamId) => orUnknown(admins(teamId)),
  };
}

/** Slack's own bot is none by its flags. */
const slackbot = 'USLACKBOT';

/** Tells who somebody is to a workspace. Whatever Slack leaves out counts against them. */
export function standingOf(user: User | Member | undefined, teamId: string): Standing {
  if (!user?.id || user.team_id === undefined) return 'unknown';
  if (user.deleted) return 'deleted';
  if (user.is_bot || user.is_workflow_bot || user.id === slackbot) return 'bot';
  if (isStranger(user, teamId)) return 'stranger';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  // By the token of an organisation Slack may speak of the workspace that somebody comes from.
  const isOfHere = user.team_id === teamId;
  return isOfHere && (user.is_admin || user.is_owner || user.is_primary_owner) ? 'admin' : 'member';
}

/** With Enterprise Grid a person of the same organisation is of this workspace where it is among theirs. */
function isStranger(user: User | Member, teamId: string): boolean {
  if ('is_stranger' in user && user.is_stranger) return true;
  const teams = user.enterprise_user?.teams ?? [];
  return user.team_id !== teamId && !teams.includes(teamId);
}
