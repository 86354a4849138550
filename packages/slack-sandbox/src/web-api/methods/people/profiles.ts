import { z } from 'zod';
import type { JsonObject } from '../../../json.ts';
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
  args: z.object({ email: nonEmptyString }),
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
  args: z.object({ user: nonEmptyString.optional(), include_labels: flag.optional() }),
  run({ user }, core, workspace) {
    return { profile: toUserObject(core, resolvePerson(workspace, user)).profile };
  },
});

export const usersGetPresence = defineMethod({
  name: 'users.getPresence',
  tier: 3,
  scopes: ['users:read'],
  acceptsJson: false,
  args: z.object({ user: nonEmptyString.optional() }),
  run({ user }, _core, workspace) {
    const { id } = resolvePerson(workspace, user);
    const isAway = workspace.awayUsers.has(id);
    const presence = isAway ? 'away' : 'active';
    return { presence, ...(id === workspace.caller.userId && { online: !isAway, manual_away: isAway }) };
  },
});

export const usersSetPresence = defineMethod({
  name: 'users.setPresence',
  tier: 2,
  scopes: ['users:write'],
  args: z.object({ presence: z.string() }),
  run({ presence }, _core, workspace) {
    if (presence !== 'auto' && presence !== 'away') throw new SlackError('invalid_presence');
    const { awayUsers, caller } = workspace;
    if (presence === 'away') awayUsers.add(caller.userId);
    else awayUsers.delete(caller.userId);
    return {};
  },
});

export const emojiList = defineMethod({
  name: 'emoji.list',
  tier: 2,
  scopes: ['emoji:read'],
  args: z.object({ include_categories: flag.optional() }),
  run(_args, core) {
    return { emoji: {}, cache_ts: core.ids.ts() };
  },
});

export const dndInfo = defineMethod({
  name: 'dnd.info',
  tier: 3,
  scopes: ['dnd:read'],
  acceptsJson: false,
  args: z.object({ user: nonEmptyString.optional() }),
  run({ user }, _core, workspace) {
    resolvePerson(workspace, user);
    return { ...undisturbed(), snooze_enabled: false };
  },
});

export const dndTeamInfo = defineMethod({
  name: 'dnd.teamInfo',
  tier: 2,
  scopes: ['dnd:read'],
  acceptsJson: false,
  args: z.object({ users: z.string().default('') }),
  run({ users }, _core, workspace) {
    const known = users.split(',').filter((id) => workspace.people.has(id));
    return { users: Object.fromEntries(known.map((id) => [id, undisturbed()])) };
  },
});

export const teamProfileGet = defineMethod({
  name: 'team.profile.get',
  tier: 3,
  scopes: ['users.profile:read'],
  acceptsJson: false,
  args: z.object({ visibility: z.string().optional() }),
  run: () => ({ profile: { fields: [], sections: [] } }),
});

export const authTeamsList = defineMethod({
  name: 'auth.teams.list',
  tier: 2,
  isForOrganization: true,
  args: z.object({ cursor: z.string().optional(), include_icon: flag.optional() }),
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

/** Nobody in the sandbox has notifications off. */
function undisturbed(): JsonObject {
  return { dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1 };
}
