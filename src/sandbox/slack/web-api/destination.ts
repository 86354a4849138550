import type { Core } from '../core.ts';
import { type Channel, directMessages, findChannel } from '../world/channels.ts';
import type { Message } from '../world/messages.ts';
import type { Workspace } from '../world/workspace.ts';
import { SlackError } from './slack-error.ts';

/** Finds where the app wants to post: a channel by id or name, or a person, whose direct messages are opened. */
export function destination(core: Core, workspace: Workspace, reference: string): Channel {
  const channel = workspace.people.has(reference)
    ? openDirectMessages(core, workspace, reference)
    : findChannel(workspace, reference);
  if (!channel) throw new SlackError('channel_not_found');
  requirePostable(core, workspace, channel);
  return channel;
}

/** Opens the direct messages of somebody with the app. */
export function openDirectMessages(core: Core, workspace: Workspace, userId: string): Channel {
  if (workspace.people.get(userId)?.role === 'bot') throw new SlackError('cannot_dm_bot');
  return directMessages(workspace, userId, core.clock.now());
}

/** Finds a channel by its id alone; throws `channel_not_found`. */
export function channelById(workspace: Workspace, id: string): Channel {
  const channel = workspace.channels.get(id);
  if (!channel) throw new SlackError('channel_not_found');
  return channel;
}

/** Finds the parent of a thread that the app wants to reply in; throws where Slack has none. */
export function threadParent(
  workspace: Workspace,
  channel: Channel,
  threadTs: string | undefined,
): Message | undefined {
  if (threadTs === undefined) return undefined;
  const parent = workspace.messages.find(channel.id, threadTs);
  if (!parent) throw new SlackError('thread_not_found');
  if (parent.thread_ts !== undefined && parent.thread_ts !== parent.ts) {
    throw new SlackError('cannot_reply_to_message');
  }
  return parent;
}

function requirePostable({ manifest }: Core, workspace: Workspace, channel: Channel): void {
  if (channel.archived) throw new SlackError('is_archived');
  if (channel.kind === 'im' && manifest.messagesTab === 'off') throw new SlackError('messages_tab_disabled');
  const mayPost = channel.members.has(workspace.bot.userId) || manifest.scopes.has('chat:write.public');
  if (!mayPost) throw new SlackError('not_in_channel');
}
