import { sendChannelEvent } from '../channel-actions/change-channel.ts';
import type { Core } from '../core.ts';
import { InvalidActionError } from '../interactions/invalid-action-error.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
