import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { channelTypeOf, sendMemberJoined } from '../delivery/app-events.ts';
import type { JsonObject } from '../json.ts';
import type { CoveredEventName } from '../platform/coverage.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** Shows a channel's change to everyone who has it open. */
export function publishChannelChange(core: Core, workspace: Workspace, channel: Channel): void {
  core.changes.publish({ kind: 'channel', team: workspace.team.id, channel: channel.id });
}

/**
 * Sends an event about a channel to the apps. Each gets events of public channels, and of those that
 * it is in.
 */
export function sendChannelEvent(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  event: JsonObject & { readonly type: CoveredEventName },
): void {
  const audience = channel.kind === 'public' ? 'everyone' : 'members';
  announceEvent(core, workspace, { event: { ...event, event_ts: core.ids.ts() }, channel }, audience);
}

/** Posts the message with which Slack notes a change in the channel itself, such as a new topic. */
export function postChannelNote(
  workspace: Workspace,
  channel: Channel,
  user: string,
  note: { readonly subtype: string; readonly text: string } & JsonObject,
): void {
  workspace.messages.post(channel.id, { user, team: workspace.team.id, ...note });
}

/** Archives or restores a channel, posts a note in the channel, and notifies the app. */
export function setArchived(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  user: string,
  isArchived: boolean,
): void {
  const action = isArchived ? 'archive' : 'unarchive';
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  channel.isArchived = isArchived;
  postChannelNote(workspace, channel, user, {
    subtype: `${kind}_${action}`,
    text: isArchived ? 'archived the channel' : 'un-archived the channel',
  });
  sendChannelEvent(core, workspace, channel, { type: `${kind}_${action}`, channel: channel.id, user });
  publishChannelChange(core, workspace, channel);
}

/** Adds a member who isn't in the channel yet, posts a note in the channel, and notifies the apps there. */
export function addMember(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  user: string,
  inviter?: string,
): void {
  channel.members.add(user);
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  postChannelNote(workspace, channel, user, {
    subtype: `${kind}_join`,
    text: `<@${user}> has joined the ${kind}`,
    ...(inviter !== undefined && { inviter }),
  });
  sendMemberJoined(core, workspace, channel, user, inviter);
  publishChannelChange(core, workspace, channel);
}

/** Posts the note about someone who leaves a channel by themselves. */
export function postLeaveNote(workspace: Workspace, channel: Channel, user: string): void {
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  const text = `<@${user}> has left the ${kind}`;
  postChannelNote(workspace, channel, user, { subtype: `${kind}_leave`, text });
}

/** Removes a member. Notifies the apps in the channel, and the removed member if it is an app. */
export function removeMember(core: Core, workspace: Workspace, channel: Channel, user: string): void {
  for (const app of core.apps()) {
    const own = app.findWorkspace(workspace.team.id);
    if (own?.bot.userId !== user) continue;
    const type = channel.kind === 'private' ? 'group_left' : 'channel_left';
    const event = { type, channel: channel.id, actor_id: user, event_ts: core.ids.ts() } as const;
    void app.events.send(own, { event, channel });
  }
  announceEvent(core, workspace, {
    event: {
      type: 'member_left_channel',
      user,
      channel: channel.id,
      channel_type: channelTypeOf(channel),
      team: workspace.people.get(user)?.teamId ?? workspace.team.id,
      event_ts: core.ids.ts(),
    },
    channel,
  });
  channel.members.delete(user);
  publishChannelChange(core, workspace, channel);
}

/** Deletes a public or private channel with its messages, and tells the apps. Only owners can do so. */
export function deleteChannel(core: Core, workspace: Workspace, channel: Channel, user: string): void {
  if (channel.kind === 'im' || channel.kind === 'mpim') {
    throw new InvalidActionError('Direct messages cannot be deleted');
  }
  if (channel.isGeneral) throw new InvalidActionError('The general channel cannot be deleted');
  if (workspace.people.get(user)?.role !== 'owner')
    throw new InvalidActionError('Only owners can delete channels');
  const type = channel.kind === 'public' ? 'channel_deleted' : 'group_deleted';
  sendChannelEvent(core, workspace, channel, { type, channel: channel.id, actor_id: user });
  workspace.channels.delete(channel.id);
  core.changes.publish({ kind: 'reset', team: workspace.team.id });
}

/** Shares a channel with another organization by Slack Connect, or ends that, and tells the apps. */
export function shareChannel(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  teamId: string,
  isShared: boolean,
): void {
  const others = channel.sharedWith.filter((id) => id !== teamId);
  channel.sharedWith = isShared ? [...others, teamId] : others;
  sendChannelEvent(
    core,
    workspace,
    channel,
    isShared
      ? { type: 'channel_shared', connected_team_id: teamId, channel: channel.id }
      : {
          type: 'channel_unshared',
          previously_connected_team_id: teamId,
          channel: channel.id,
          is_ext_shared: others.length > 0,
        },
  );
  publishChannelChange(core, workspace, channel);
}
