import { z } from 'zod';
import type { Core } from '../../core.ts';
import { hasOnlyTextBlock } from '../../mrkdwn/rich-text-block.ts';
import { authorArguments } from '../../posting/custom-author.ts';
import { assertNotEmpty, maxTextChars, parseMessageContent } from '../../posting/message-content.ts';
import { postAsApp, toMessageFields, toTextBlocks } from '../../posting/post-message.ts';
import type { Message } from '../../workspace/messages/message.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { flag, nonEmptyString } from '../arguments.ts';
import { resolveChannelById, resolveDestination, resolveThreadParent } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { toPermalink } from '../objects/permalink.ts';
import { channelPostLimit } from '../rate-limits.ts';
import { RateLimitError, SlackError } from '../slack-error.ts';
import { contentArguments } from './content-arguments.ts';

/** Maximum text length in `chat.update`, from its reference page (`msg_too_long`). */
const maxUpdateChars = 4000;

const scopes = ['chat:write'];

export const chatPostMessage = defineMethod({
  name: 'chat.postMessage',
  tier: 'special',
  scopes,
  args: () =>
    z.object({
      ...contentArguments,
      channel: nonEmptyString,
      ...authorArguments,
      thread_ts: nonEmptyString.nullish(),
      reply_broadcast: flag.optional(),
    }),
  run(args, core, workspace) {
    const channel = resolveDestination(core, workspace, args.channel);
    const said = parseMessageContent(args, workspace, core);
    assertNotEmpty(said);
    const parent = resolveThreadParent(workspace, channel, args.thread_ts ?? undefined);
    const retryAfter = core.rateLimits.consume(`post ${channel.id}`, channelPostLimit);
    if (retryAfter > 0) throw new RateLimitError(retryAfter);
    const isLong = (said.text?.length ?? 0) > maxTextChars;
    const message = postAsApp(
      core,
      workspace,
      { ...said, text: said.text?.slice(0, maxTextChars) },
      { channel, threadTs: parent?.ts, isBroadcast: args.reply_broadcast, author: args },
    );
    const warnings = [!said.text && 'missing_text_in_message', isLong && 'message_truncated'].filter(Boolean);
    return {
      channel: channel.id,
      ts: message.ts,
      message,
      ...(warnings.length > 0 && { warning: warnings.join(','), response_metadata: { warnings } }),
    };
  },
});

export const chatPostEphemeral = defineMethod({
  name: 'chat.postEphemeral',
  tier: 4,
  scopes,
  args: () =>
    z.object({
      ...contentArguments,
      channel: nonEmptyString,
      ...authorArguments,
      user: nonEmptyString,
      thread_ts: nonEmptyString.nullish(),
    }),
  run(args, core, workspace) {
    const channel = resolveChannelById(workspace, args.channel);
    if (channel.isArchived) throw new SlackError('is_archived');
    if (!channel.members.has(workspace.caller.userId)) throw new SlackError('not_in_channel');
    if (!channel.members.has(args.user)) throw new SlackError('user_not_in_channel');
    const { metadata: _ignored, ...content } = args;
    const said = parseMessageContent(content, workspace, core);
    assertNotEmpty(said);
    if ((said.text?.length ?? 0) > maxTextChars) throw new SlackError('msg_too_long');
    const parent = resolveThreadParent(workspace, channel, args.thread_ts ?? undefined);
    const message = postAsApp(core, workspace, said, {
      channel,
      threadTs: parent?.ts,
      visibleTo: args.user,
      author: args,
    });
    return { message_ts: message.ts };
  },
});

export const chatUpdate = defineMethod({
  name: 'chat.update',
  tier: 3,
  scopes,
  args: () => z.object({ ...contentArguments, channel: nonEmptyString, ts: nonEmptyString }),
  run(args, core, workspace) {
    const channel = resolveChannelById(workspace, args.channel);
    const before = resolveOwnMessage(workspace, channel.id, args.ts, 'cant_update_message');
    const given = parseMessageContent(args, workspace, core);
    if ((given.text?.length ?? 0) > maxUpdateChars) throw new SlackError('msg_too_long');
    const text = given.text ?? (given.blocks?.length ? undefined : before.text);
    const keptBlocks = hasOnlyTextBlock(before) ? undefined : before.blocks;
    const { blocks = keptBlocks, attachments = before.attachments } = given;
    assertNotEmpty({ text, blocks, attachments });
    const message = workspace.messages.update(channel.id, args.ts, {
      ...toMessageFields({ ...given, text }),
      ...toTextBlocks(core, { text, blocks, attachments }),
      edited: createEdited(core, workspace),
    });
    return { channel: channel.id, ts: message.ts, text: message.text, message };
  },
});

export const chatDelete = defineMethod({
  name: 'chat.delete',
  tier: 3,
  scopes,
  args: () => z.object({ channel: nonEmptyString, ts: nonEmptyString }),
  run({ channel, ts }, _core, workspace) {
    resolveChannelById(workspace, channel);
    resolveOwnMessage(workspace, channel, ts, 'cant_delete_message');
    workspace.messages.delete(channel, ts);
    return { channel, ts };
  },
});

export const chatGetPermalink = defineMethod({
  name: 'chat.getPermalink',
  tier: 'special',
  acceptsJson: false,
  args: () => z.object({ channel: nonEmptyString, message_ts: nonEmptyString }),
  run(args, _core, workspace) {
    const { id } = resolveChannelById(workspace, args.channel);
    const message = workspace.messages.find(id, args.message_ts);
    if (!message) throw new SlackError('message_not_found');
    return { channel: id, permalink: toPermalink(workspace, id, message) };
  },
});

/** Returns the editor of a message and the time of the edit, as Slack stores them. */
function createEdited(core: Core, { caller }: Workspace): { user: string; ts: string } {
  return { user: caller.userId, ts: `${Math.floor(core.clock.now() / 1000)}.000000` };
}

function resolveOwnMessage(workspace: Workspace, channel: string, ts: string, errorCode: string): Message {
  const message = workspace.messages.find(channel, ts);
  if (!message || message.subtype === 'tombstone') throw new SlackError('message_not_found');
  if (message.user !== workspace.caller.userId) throw new SlackError(errorCode);
  return message;
}
