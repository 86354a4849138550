import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Message } from '../workspace/messages/message.ts';
import { addReaction, removeReaction } from '../workspace/messages/reactions.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
