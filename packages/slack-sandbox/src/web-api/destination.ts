import type { Core } from '../core.ts';
import {
  findChannel,
  findOrCreateDirectMessage,
  findOrCreatePrivateConversation,
} from '../workspace/channels/channel-lookup.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Message } from '../workspace/messages/message.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { SlackError } from './slack-error.ts';

/**
 * Returns the channel to which the app wants to post. It is given by ID or name. A person's ID
 * stands for their direct messages, which are opened.
 */
export function resolveDestination(core: Core, workspace: Workspace, reference: string): Channel {
  const channel = workspace.people.has(reference)
    ? openDirectMessage(core, workspace, reference)
    : findChannel(workspace, reference);
  if (!channel || !isVisibleToApp(workspace, channel)) throw new SlackError('channel_not_found');
  assertCanPost(core, workspace, channel);
  return channel;
}

/** Opens the direct messages of the caller, which is the app or a person, with someone. */
export function openDirectMessage(core: Core, workspace: Workspace, userId: string): Channel {
  const { people, bot, caller } = workspace;
  const isBot = people.get(userId)?.role === 'bot';
  if (caller.isPerson && userId !== bot.userId) {
    return findOrCreatePrivateConversation(workspace, [caller.userId, userId], core.clock.now());
  }
  if (isBot && !caller.isPerson) throw new SlackError('cannot_dm_bot');
  return findOrCreateDirectMessage(workspace, caller.isPerson ? caller.userId : userId, core.clock.now());
}

/**
 * Returns a channel by its ID only. Throws `channel_not_found` if there is none, and if it is private
 * and the app isn't a member.
 */
export function resolveChannelById(workspace: Workspace, id: string): Channel {
  const channel = workspace.channels.get(id);
  if (!channel || !isVisibleToApp(workspace, channel)) throw new SlackError('channel_not_found');
  return channel;
}

/** How Slack writes a message's `ts`. */
export const timestamp = /^\d+\.\d+$/;

/** Returns a message that everyone in the channel can see. Throws Slack's error if there is none. */
export function resolveMessage(workspace: Workspace, channel: Channel, ts: string): Message {
  if (!timestamp.test(ts)) throw new SlackError('bad_timestamp');
  const message = workspace.messages.find(channel.id, ts);
  if (!message || message.subtype === 'tombstone') throw new SlackError('message_not_found');
  return message;
}

/** Throws `not_in_channel` unless the app is a member. */
export function assertMember({ caller }: Workspace, { members }: Channel): void {
  if (!members.has(caller.userId)) throw new SlackError('not_in_channel');
}

/** Returns whether the app can know of a conversation: it is public, or the app is a member. */
export function isVisibleToApp({ caller }: Workspace, { kind, members }: Channel): boolean {
  return kind === 'public' || members.has(caller.userId);
}

/**
 * Returns the parent of the thread in which the app replies. A reply to a reply goes to the same thread.
 * Throws if there is no such message.
 */
export function resolveThreadParent(
  workspace: Workspace,
  channel: Channel,
  threadTs: string | undefined,
): Message | undefined {
  if (threadTs === undefined) return undefined;
  const message = workspace.messages.find(channel.id, threadTs);
  const parent = message?.thread_ts ? workspace.messages.find(channel.id, message.thread_ts) : message;
  if (!parent) throw new SlackError('cannot_reply_to_message');
  return parent;
}

function assertCanPost({ manifest }: Core, workspace: Workspace, channel: Channel): void {
  if (channel.isArchived) throw new SlackError('is_archived');
  if (channel.kind === 'im' && manifest.messagesTab === 'off') throw new SlackError('messages_tab_disabled');
  const isMember = channel.members.has(workspace.caller.userId);
  const mayPost = isMember || (channel.kind === 'public' && manifest.scopes.has('chat:write.public'));
  if (!mayPost) throw new SlackError('not_in_channel');
}
