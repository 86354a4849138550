import { z } from 'zod';
import { react } from '../../../acts/change-message.ts';
import type { Message } from '../../../workspace/messages/message.ts';
import { hasReacted } from '../../../workspace/messages/reactions.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, nonEmptyString, paging } from '../../arguments.ts';
import { resolveChannelById, resolveMessage } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { withPermalink } from '../../objects/permalink.ts';
import { paginate } from '../../pagination.ts';
import { SlackError } from '../../slack-error.ts';

/** Different emoji on a message, and emoji by one person, from slack.com/help/articles/202931348. */
const maxEmoji = 50;
const maxEmojiOfPerson = 23;

/** How Slack names emoji, with an optional skin tone. Names of custom emoji aren't known here. */
const emojiName = /^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/;

const target = { channel: nonEmptyString.optional(), timestamp: nonEmptyString.optional() };

export const reactionsAdd = defineMethod({
  name: 'reactions.add',
  tier: 3,
  scopes: ['reactions:write'],
  args: () => z.object({ ...target, name: nonEmptyString }),
  run({ name, ...args }, core, workspace) {
    const { channel, message } = resolveItem(workspace, args);
    const user = workspace.caller.userId;
    if (channel.isArchived) throw new SlackError('is_archived');
    if (!channel.members.has(user)) throw new SlackError('not_in_channel');
    if (!emojiName.test(name)) throw new SlackError('invalid_name');
    if (hasReacted(message, name, user)) throw new SlackError('already_reacted');
    const { reactions = [] } = message;
    const isNew = reactions.every((reaction) => reaction.name !== name);
    if (isNew && reactions.length >= maxEmoji) throw new SlackError('too_many_emoji');
    const own = reactions.filter(({ users }) => users.includes(user));
    if (own.length >= maxEmojiOfPerson) throw new SlackError('too_many_reactions');
    react(core, workspace, { channel, message, user, name }, 'reaction_added');
    return {};
  },
});

export const reactionsRemove = defineMethod({
  name: 'reactions.remove',
  tier: 2,
  scopes: ['reactions:write'],
  args: () => z.object({ ...target, name: nonEmptyString }),
  run({ name, ...args }, core, workspace) {
    const { channel, message } = resolveItem(workspace, args);
    const user = workspace.caller.userId;
    if (!emojiName.test(name)) throw new SlackError('invalid_name');
    if (!hasReacted(message, name, user)) throw new SlackError('no_reaction');
    react(core, workspace, { channel, message, user, name }, 'reaction_removed');
    return {};
  },
});

export const reactionsGet = defineMethod({
  name: 'reactions.get',
  tier: 3,
  scopes: ['reactions:read'],
  acceptsJson: false,
  args: () => z.object({ ...target, full: flag.optional() }),
  run(args, _core, workspace) {
    const { channel, message } = resolveItem(workspace, args);
    return { type: 'message', channel: channel.id, message: withPermalink(workspace, channel.id, message) };
  },
});

export const reactionsList = defineMethod({
  name: 'reactions.list',
  tier: 2,
  scopes: ['reactions:read'],
  acceptsJson: false,
  args: () => z.object({ ...paging, user: nonEmptyString.optional(), full: flag.optional() }),
  run({ user, ...page }, _core, workspace) {
    const person = user ?? workspace.caller.userId;
    if (!workspace.people.has(person)) throw new SlackError('user_not_found');
    const reacted = ({ reactions = [] }: Message) => reactions.some(({ users }) => users.includes(person));
    const all = [...workspace.channels.values()]
      .filter(({ members }) => members.has(workspace.caller.userId))
      .flatMap(({ id }) =>
        workspace.messages
          .list(id)
          .filter(reacted)
          .map((message) => ({
            type: 'message',
            channel: id,
            message: withPermalink(workspace, id, message),
          })),
      );
    const { items, response_metadata } = paginate(all.toReversed(), page, 100);
    return { items, response_metadata };
  },
});

interface ItemArguments {
  readonly channel?: string | undefined;
  readonly timestamp?: string | undefined;
}

function resolveItem(workspace: Workspace, { channel: id, timestamp }: ItemArguments) {
  if (id === undefined || timestamp === undefined) throw new SlackError('no_item_specified');
  const channel = resolveChannelById(workspace, id);
  return { channel, message: resolveMessage(workspace, channel, timestamp) };
}
