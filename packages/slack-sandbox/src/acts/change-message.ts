import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { toRichTextBlock } from '../mrkdwn/rich-text-block.ts';
import { encodeTypedText } from '../typed-text.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Message } from '../workspace/messages/message.ts';
import { addReaction, hasReacted, removeReaction } from '../workspace/messages/reactions.ts';
import type { Person } from '../workspace/seed.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import type { MessageSurface } from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** Adds a person's emoji to a message, or removes it if it is there already, as a click on it does. */
export function toggleReaction(
  core: Core,
  workspace: Workspace,
  { id: user }: Person,
  { channel, message, isEphemeral }: MessageSurface,
  emoji: string,
): void {
  if (isEphemeral) throw new InvalidActionError('An ephemeral message has no reactions');
  const name = emoji.replaceAll(':', '');
  const type = hasReacted(message, name, user) ? 'reaction_removed' : 'reaction_added';
  react(core, workspace, { channel, message, user, name }, type);
}

/** Replaces the text of a person's own message. */
export function editMessage(
  core: Core,
  workspace: Workspace,
  person: Person,
  { channel, message }: MessageSurface,
  text: string,
): void {
  if (message.user !== person.id) throw new InvalidActionError('People can edit only their own messages');
  if (text.trim() === '') throw new InvalidActionError('A message without text cannot be sent');
  const encoded = encodeTypedText(text, createNameDirectory(workspace), { surface: 'message', escape: true });
  workspace.messages.update(channel.id, message.ts, {
    text: encoded,
    blocks: [toRichTextBlock(encoded, core.ids.elementId())],
    edited: { user: person.id, ts: `${Math.floor(core.clock.now() / 1000)}.000000` },
  });
}

/** Deletes a person's own message. */
export function deleteMessage(
  workspace: Workspace,
  person: Person,
  { channel, message }: MessageSurface,
): void {
  if (message.user !== person.id) throw new InvalidActionError('People can delete only their own messages');
  workspace.messages.delete(channel.id, message.ts);
}

interface ReactionTarget {
  readonly channel: Channel;
  readonly message: Message;
  readonly user: string;
  /** The emoji's name without colons. */
  readonly name: string;
}

/** Adds or removes a person's or the app's emoji, and notifies the apps that are in the channel. */
export function react(
  core: Core,
  workspace: Workspace,
  { channel, message, user, name }: ReactionTarget,
  type: 'reaction_added' | 'reaction_removed',
): void {
  const reactions = (type === 'reaction_added' ? addReaction : removeReaction)(message, name, user);
  workspace.messages.decorate(channel.id, message.ts, { reactions });
  announceEvent(core, workspace, {
    event: {
      type,
      user,
      reaction: name,
      item: { type: 'message', channel: channel.id, ts: message.ts },
      item_user: message.user,
      event_ts: core.ids.ts(),
    },
    channel,
  });
}
