import type { JsonObject } from '../../json.ts';
import type { UserGroupState } from '../../workspace/user-groups.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Describes a user group like `usergroups.list` does. */
export function toUserGroupObject(
  { team }: Workspace,
  group: UserGroupState,
  hasCount?: boolean,
): JsonObject {
  const { id, name, handle, description, users, channels, disabledSeconds } = group;
  return {
    id,
    team_id: team.id,
    is_usergroup: true,
    is_subteam: true,
    name,
    handle,
    description,
    is_external: false,
    date_create: group.createdSeconds,
    date_update: group.updatedSeconds,
    date_delete: disabledSeconds,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: group.createdBy,
    updated_by: group.updatedBy,
    deleted_by: disabledSeconds > 0 ? group.updatedBy : null,
    prefs: { channels, groups: [] },
    channel_count: channels.length,
    ...(hasCount && { user_count: users.length }),
  };
}
