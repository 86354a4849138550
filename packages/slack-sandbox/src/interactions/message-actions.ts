import { react } from '../channel-actions/react.ts';
import type { Core } from '../core.ts';
import { toRichTextBlock } from '../mrkdwn/rich-text-block.ts';
import { encodeTypedText } from '../typed-text.ts';
import { hasReacted } from '../workspace/messages/reactions.ts';
import type { Person } from '../workspace/seed.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import type { MessageSurface } from './elements/interaction-surface.ts';
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
