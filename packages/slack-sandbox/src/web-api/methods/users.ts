import { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import type { UserGroup } from '../../workspace/seed.ts';
import { flag, nonEmptyString, paging } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { toUserObject } from '../objects/user-object.ts';
import { paginate } from '../pagination.ts';
import { SlackError } from '../slack-error.ts';

export const usersInfo = defineMethod({
  name: 'users.info',
  tier: 4,
  scopes: ['users:read'],
  acceptsJson: false,
  args: z.object({ user: nonEmptyString, include_locale: flag.optional() }),
  run({ user: id, include_locale }, core, workspace) {
    const person = workspace.people.get(id);
    if (!person) throw new SlackError('user_not_found');
    const facts = toUserObject(core, workspace, person);
    return { user: { ...facts, ...(include_locale && { locale: 'en-US' }) } };
  },
});

export const usersList = defineMethod({
  name: 'users.list',
  tier: 2,
  scopes: ['users:read'],
  acceptsJson: false,
  args: z.object(paging),
  run(args, core, workspace) {
    const { items, response_metadata } = paginate([...workspace.people.values()], args, 1000);
    return {
      members: items.map((person) => toUserObject(core, workspace, person)),
      cache_ts: Math.floor(core.clock.now() / 1000),
      response_metadata,
    };
  },
});

export const usergroupsList = defineMethod({
  name: 'usergroups.list',
  tier: 2,
  scopes: ['usergroups:read'],
  acceptsJson: false,
  args: z.object({ include_count: flag.optional(), include_users: flag.optional() }),
  run({ include_count, include_users }, _core, { groups, team }) {
    const usergroups = groups.map((group) => ({
      ...toUserGroupObject(group, team.id),
      ...(include_count && { user_count: group.users.length }),
      ...(include_users && { users: group.users }),
    }));
    return { usergroups };
  },
});

export const usergroupsUsersList = defineMethod({
  name: 'usergroups.users.list',
  tier: 2,
  scopes: ['usergroups:read'],
  acceptsJson: false,
  args: z.object({ usergroup: nonEmptyString }),
  run({ usergroup }, _core, { groups }) {
    const group = groups.find(({ id }) => id === usergroup);
    if (!group) throw new SlackError('no_such_subteam');
    return { users: group.users };
  },
});

function toUserGroupObject({ id, handle, name }: UserGroup, teamId: string): JsonObject {
  return {
    id,
    team_id: teamId,
    is_usergroup: true,
    name,
    handle,
    description: '',
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: 0,
    auto_type: null,
    created_by: 'USLACKBOT',
    updated_by: 'USLACKBOT',
    deleted_by: null,
    prefs: { channels: [], groups: [] },
  };
}
