import { z } from 'zod';
import type { Person } from '../../../workspace/seed.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toUserObject } from '../../objects/user-object.ts';
import { SlackError } from '../../slack-error.ts';

export const usersLookupByEmail = defineMethod({
  name: 'users.lookupByEmail',
  tier: 3,
  scopes: ['users:read.email'],
  acceptsJson: false,
  args: () => z.object({ email: nonEmptyString }),
  run({ email }, core, workspace) {
    const wanted = email.toLowerCase();
    const user = [...workspace.people.values()]
      .map((person) => toUserObject(core, person))
      .find(({ profile }) => profile.email?.toLowerCase() === wanted);
    if (!user) throw new SlackError('users_not_found');
    return { user };
  },
});

export const usersProfileGet = defineMethod({
  name: 'users.profile.get',
  tier: 4,
  scopes: ['users.profile:read'],
  acceptsJson: false,
  args: () => z.object({ user: nonEmptyString.optional(), include_labels: flag.optional() }),
  run({ user }, core, workspace) {
    const { profile } = toUserObject(core, resolvePerson(workspace, user));
    return { profile: { fields: {}, ...profile } };
  },
});

export const usersGetPresence = defineMethod({
  name: 'users.getPresence',
  tier: 3,
  scopes: ['users:read'],
  acceptsJson: false,
  args: () => z.object({ user: nonEmptyString.optional() }),
  run({ user }, _core, workspace) {
    const { id } = resolvePerson(workspace, user);
    const isAway = workspace.personal.awayUsers.has(id);
    const presence = isAway ? 'away' : 'active';
    return { presence, ...(id === workspace.caller.userId && { online: !isAway, manual_away: isAway }) };
  },
});

export const usersSetPresence = defineMethod({
  name: 'users.setPresence',
  tier: 2,
  scopes: ['users:write'],
  args: () => z.object({ presence: z.string() }),
  run({ presence }, _core, workspace) {
    if (presence !== 'auto' && presence !== 'away') throw new SlackError('invalid_presence');
    const { caller } = workspace;
    const { awayUsers } = workspace.personal;
    if (presence === 'away') awayUsers.add(caller.userId);
    else awayUsers.delete(caller.userId);
    return {};
  },
});

export const emojiList = defineMethod({
  name: 'emoji.list',
  acceptsJson: false,
  tier: 2,
  scopes: ['emoji:read'],
  args: () => z.object({ include_categories: flag.optional() }),
  run(_args, core, { customEmoji }) {
    return { emoji: Object.fromEntries(customEmoji), cache_ts: core.ids.ts() };
  },
});

export const teamProfileGet = defineMethod({
  name: 'team.profile.get',
  tier: 3,
  scopes: ['users.profile:read'],
  acceptsJson: false,
  args: () => z.object({ visibility: z.string().optional() }),
  run: () => ({ profile: { fields: [], sections: [] } }),
});

export const authTeamsList = defineMethod({
  name: 'auth.teams.list',
  acceptsJson: false,
  tier: 2,
  isForOrganization: true,
  args: () => z.object({ cursor: z.string().optional(), include_icon: flag.optional() }),
  run(_args, core, workspace) {
    const teams = core
      .workspaces()
      .filter(({ token, installedBy }) => token === workspace.token && installedBy);
    return {
      teams: teams.map(({ team: { id, name } }) => ({ id, name })),
      response_metadata: { next_cursor: '' },
    };
  },
});

function resolvePerson({ people, caller }: Workspace, id: string = caller.userId): Person {
  const person = people.get(id);
  if (!person) throw new SlackError('user_not_found');
  return person;
}
