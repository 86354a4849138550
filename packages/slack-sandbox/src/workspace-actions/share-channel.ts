import { publishChannelChange, sendChannelEvent } from '../channel-actions/change-channel.ts';
import type { Core } from '../core.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
