import { z } from 'zod';
import { changeUserGroup, publishUserGroup } from '../../../acts/change-user-group.ts';
import { announceEvent } from '../../../delivery/announce-event.ts';
import type { JsonObject } from '../../../json.ts';
import { createUserGroup, type UserGroupState } from '../../../workspace/user-groups.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toUserGroupObject } from '../../objects/user-group-object.ts';
import { SlackError } from '../../slack-error.ts';

const readScopes = ['usergroups:read'];
const writeScopes = ['usergroups:write'];
const countField = { include_count: flag.optional() };
/** Fields of a group that an app can set. */
const groupFields = {
  name: z.string().optional(),
  handle: z.string().optional(),
  description: z.string().optional(),
  /** IDs, separated by commas. */
  channels: z.string().optional(),
};

type GroupFields = z.output<z.ZodObject<typeof groupFields>>;

export const usergroupsList = defineMethod({
  name: 'usergroups.list',
  tier: 2,
  scopes: readScopes,
  acceptsJson: false,
  args: () =>
    z.object({
      ...countField,
      include_users: flag.optional(),
      include_disabled: flag.optional(),
    }),
  run({ include_count, include_users, include_disabled }, _core, workspace) {
    const usergroups = workspace.groups
      .filter(({ disabledSeconds }) => include_disabled || disabledSeconds === 0)
      .map((group) => ({
        ...toUserGroupObject(workspace, group, include_count),
        ...(include_users && { users: group.users }),
      }));
    return { usergroups };
  },
});

export const usergroupsCreate = defineMethod({
  name: 'usergroups.create',
  tier: 2,
  scopes: writeScopes,
  args: () => z.object({ ...groupFields, ...countField }),
  run({ include_count, ...fields }, core, workspace) {
    const name = fields.name ?? '';
    if (name === '') throw new SlackError('missing_subteam_name');
    const handle = fields.handle || name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
    assertValidFields(workspace, { ...fields, name, handle });
    const author = workspace.caller.userId;
    const nowSeconds = Math.floor(core.clock.now() / 1000);
    const group: UserGroupState = {
      ...createUserGroup({ id: core.ids.id('S'), handle, name, users: [] }),
      description: fields.description ?? '',
      channels: splitIds(fields.channels),
      createdBy: author,
      updatedBy: author,
      createdSeconds: nowSeconds,
      updatedSeconds: nowSeconds,
    };
    workspace.groups.push(group);
    publishUserGroup(core, workspace, group, 'subteam_created');
    return toAnswer(workspace, group, include_count);
  },
});

export const usergroupsUpdate = defineMethod({
  name: 'usergroups.update',
  tier: 2,
  scopes: writeScopes,
  args: () => z.object({ usergroup: nonEmptyString, ...groupFields, ...countField }),
  run({ usergroup, include_count, channels, ...fields }, core, workspace) {
    const group = resolveGroup(workspace, usergroup);
    assertValidFields(workspace, { ...fields, channels }, group);
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    changeUserGroup(core, workspace, group, workspace.caller.userId, {
      ...Object.fromEntries(given),
      ...(channels !== undefined && { channels: splitIds(channels) }),
    });
    return toAnswer(workspace, group, include_count);
  },
});

export const usergroupsDisable = defineMethod({
  name: 'usergroups.disable',
  tier: 2,
  scopes: writeScopes,
  args: () => z.object({ usergroup: nonEmptyString, ...countField }),
  run({ usergroup, include_count }, core, workspace) {
    const group = resolveGroup(workspace, usergroup);
    changeUserGroup(core, workspace, group, workspace.caller.userId, { isDisabled: true });
    return toAnswer(workspace, group, include_count);
  },
});

export const usergroupsEnable = defineMethod({
  name: 'usergroups.enable',
  tier: 2,
  scopes: writeScopes,
  args: () => z.object({ usergroup: nonEmptyString, ...countField }),
  run({ usergroup, include_count }, core, workspace) {
    const group = resolveGroup(workspace, usergroup);
    changeUserGroup(core, workspace, group, workspace.caller.userId, { isDisabled: false });
    return toAnswer(workspace, group, include_count);
  },
});

export const usergroupsUsersList = defineMethod({
  name: 'usergroups.users.list',
  acceptsJson: false,
  tier: 2,
  scopes: readScopes,
  args: () => z.object({ usergroup: nonEmptyString, include_disabled: flag.optional() }),
  run({ usergroup, include_disabled }, _core, workspace) {
    const { users, disabledSeconds } = resolveGroup(workspace, usergroup);
    if (disabledSeconds > 0 && !include_disabled) throw new SlackError('no_such_subteam');
    return { users };
  },
});

export const usergroupsUsersUpdate = defineMethod({
  name: 'usergroups.users.update',
  tier: 2,
  scopes: writeScopes,
  args: () => z.object({ usergroup: nonEmptyString, users: z.string().default(''), ...countField }),
  run({ usergroup, users, include_count }, core, workspace) {
    const group = resolveGroup(workspace, usergroup);
    const wanted = [...new Set(splitIds(users))];
    if (wanted.length === 0) throw new SlackError('no_users_provided');
    if (!wanted.every((id) => workspace.people.has(id))) throw new SlackError('invalid_users');
    const added = wanted.filter((id) => !group.users.includes(id));
    const removed = group.users.filter((id) => !wanted.includes(id));
    const previousSeconds = group.updatedSeconds;
    changeUserGroup(core, workspace, group, workspace.caller.userId, { users: wanted });
    const event_ts = core.ids.ts();
    for (const user of added) {
      core.events.announceToPerson(workspace, user, {
        event: { type: 'subteam_self_added', subteam_id: group.id, event_ts },
      });
    }
    for (const user of removed) {
      core.events.announceToPerson(workspace, user, {
        event: { type: 'subteam_self_removed', subteam_id: group.id, event_ts },
      });
    }
    if (added.length + removed.length > 0) {
      announceEvent(core, workspace, {
        event: {
          type: 'subteam_members_changed',
          subteam_id: group.id,
          team_id: workspace.team.id,
          date_previous_update: previousSeconds,
          date_update: group.updatedSeconds,
          added_users: added,
          added_users_count: added.length,
          removed_users: removed,
          removed_users_count: removed.length,
          event_ts: core.ids.ts(),
        },
      });
    }
    return toAnswer(workspace, group, include_count);
  },
});

function toAnswer(workspace: Workspace, group: UserGroupState, hasCount: boolean | undefined): JsonObject {
  return { usergroup: { ...toUserGroupObject(workspace, group, hasCount), users: group.users } };
}

function assertValidFields(
  { groups, channels: known, people }: Workspace,
  { name, handle, channels }: GroupFields,
  own?: UserGroupState,
): void {
  const others = groups.filter((group) => group !== own);
  if (name !== undefined && others.some((group) => group.name === name)) {
    throw new SlackError('name_already_exists');
  }
  if (handle !== undefined) {
    if (!/^[\p{Ll}\p{Lo}\p{N}._-]+$/u.test(handle)) throw new SlackError('bad_handle');
    const taken = [
      ...others.map((group) => group.handle),
      ...[...known.values()].map((channel) => channel.name),
      ...[...people.values()].map((person) => person.name),
    ];
    if (taken.includes(handle)) throw new SlackError('handle_already_exists');
  }
  if (!splitIds(channels).every((id) => known.has(id))) throw new SlackError('invalid_channel_provided');
}

function resolveGroup({ groups }: Workspace, id: string): UserGroupState {
  const group = groups.find((each) => each.id === id);
  if (!group) throw new SlackError('no_such_subteam');
  return group;
}

function splitIds(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
