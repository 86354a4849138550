import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { toUserGroupObject } from '../web-api/objects/user-group-object.ts';
import type { UserGroupState } from '../workspace/user-groups.ts';
import type { Workspace } from '../workspace/workspace.ts';

type GroupChange = Partial<Omit<UserGroupState, 'disabledSeconds'>> & { readonly isDisabled?: boolean };

/** Changes a user group in the name of a person, and tells the apps. */
export function changeUserGroup(
  core: Core,
  workspace: Workspace,
  group: UserGroupState,
  userId: string,
  { isDisabled, ...change }: GroupChange,
): void {
  const nowSeconds = Math.floor(core.clock.now() / 1000);
  Object.assign(group, change, { updatedSeconds: nowSeconds, updatedBy: userId });
  if (isDisabled !== undefined) group.disabledSeconds = isDisabled ? nowSeconds : 0;
  publishUserGroup(core, workspace, group, 'subteam_updated');
}

/** Tells the apps and the page about a new or changed user group. */
export function publishUserGroup(
  core: Core,
  workspace: Workspace,
  group: UserGroupState,
  type: 'subteam_created' | 'subteam_updated',
): void {
  core.changes.publish({ kind: 'reset', team: workspace.team.id });
  const subteam = { ...toUserGroupObject(workspace, group, true), users: group.users };
  announceEvent(core, workspace, { event: { type, subteam, event_ts: core.ids.ts() } });
}
