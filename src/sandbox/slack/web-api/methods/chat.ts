import { z } from 'zod';
import type { Core } from '../../core.ts';
import { maxTextChars, readContent, refuseEmpty } from '../../posting/content.ts';
import { postAsApp, said } from '../../posting/post.ts';
import type { Message } from '../../world/messages.ts';
import type { Workspace } from '../../world/workspace.ts';
import { flag, reference } from '../arguments.ts';
import { channelById, destination, threadParent } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { channelPostLimit } from '../rate-limits.ts';
import { RateLimitError, SlackError } from '../slack-error.ts';

/** Longest text that `chat.update` takes: its reference, `msg_too_long`. */
const maxUpdateChars = 4000;

const scopes = ['chat:write'];

/** What a message may say; `readContent` looks at it. */
const content = {
  text: z.string().nullish(),
  markdown_text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
};

export const chatPostMessage = defineMethod({
  name: 'chat.postMessage',
  tier: 'special',
  scopes,
  args: z.object({
    ...content,
    channel: reference,
    thread_ts: reference.nullish(),
    reply_broadcast: flag.optional(),
  }),
  run(args, core, workspace) {
    const channel = destination(core, workspace, args.channel);
    const said = readContent(args, workspace, core.mint);
    refuseEmpty(said);
    const parent = threadParent(workspace, channel, args.thread_ts ?? undefined);
    const retryAfter = core.rateLimits.take(`post ${channel.id}`, channelPostLimit);
    if (retryAfter > 0) throw new RateLimitError(retryAfter);
    const isLong = (said.text?.length ?? 0) > maxTextChars;
    const message = postAsApp(
      core,
      workspace,
      { ...said, text: said.text?.slice(0, maxTextChars) },
      { channel, threadTs: parent?.ts, isBroadcast: args.reply_broadcast },
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
  args: z.object({ ...content, channel: reference, user: reference, thread_ts: reference.nullish() }),
  run(args, core, workspace) {
    const channel = channelById(workspace, args.channel);
    if (channel.archived) throw new SlackError('is_archived');
    if (!channel.members.has(workspace.bot.userId)) throw new SlackError('not_in_channel');
    if (!channel.members.has(args.user)) throw new SlackError('user_not_in_channel');
    const said = readContent(args, workspace, core.mint);
    refuseEmpty(said);
    if ((said.text?.length ?? 0) > maxTextChars) throw new SlackError('msg_too_long');
    const parent = threadParent(workspace, channel, args.thread_ts ?? undefined);
    const message = postAsApp(core, workspace, said, { channel, threadTs: parent?.ts, visibleTo: args.user });
    return { message_ts: message.ts };
  },
});

export const chatUpdate = defineMethod({
  name: 'chat.update',
  tier: 3,
  scopes,
  args: z.object({ ...content, channel: reference, ts: reference }),
  run(args, core, workspace) {
    const channel = channelById(workspace, args.channel);
    const before = ownMessage(workspace, channel.id, args.ts, 'cant_update_message');
    const given = readContent(args, workspace, core.mint);
    if ((given.text?.length ?? 0) > maxUpdateChars) throw new SlackError('msg_too_long');
    const text = given.text ?? (given.blocks?.length ? undefined : before.text);
    const { blocks = before.blocks, attachments = before.attachments } = given;
    refuseEmpty({ text, blocks, attachments });
    const message = workspace.messages.edit(channel.id, args.ts, {
      ...said({ ...given, text }),
      edited: editedBy(core, workspace),
    });
    return { channel: channel.id, ts: message.ts, text: message.text, message };
  },
});

export const chatDelete = defineMethod({
  name: 'chat.delete',
  tier: 3,
  scopes,
  args: z.object({ channel: reference, ts: reference }),
  run({ channel, ts }, _core, workspace) {
    channelById(workspace, channel);
    ownMessage(workspace, channel, ts, 'cant_delete_message');
    workspace.messages.remove(channel, ts);
    return { channel, ts };
  },
});

export const chatGetPermalink = defineMethod({
  name: 'chat.getPermalink',
  tier: 'special',
  acceptsJson: false,
  args: z.object({ channel: reference, message_ts: reference }),
  run(args, _core, workspace) {
    const { id } = channelById(workspace, args.channel);
    const message = workspace.messages.find(id, args.message_ts);
    if (!message) throw new SlackError('message_not_found');
    const thread = message.thread_ts === undefined ? '' : `?thread_ts=${message.thread_ts}&cid=${id}`;
    const path = `archives/${id}/p${message.ts.replace('.', '')}${thread}`;
    return { channel: id, permalink: `https://${workspace.team.domain}.slack.com/${path}` };
  },
});

/** When and by whom a message was edited, as Slack notes it. */
function editedBy(core: Core, { bot }: Workspace): { user: string; ts: string } {
  return { user: bot.userId, ts: `${Math.floor(core.clock.now() / 1000)}.000000` };
}

function ownMessage(workspace: Workspace, channel: string, ts: string, refusal: string): Message {
  const message = workspace.messages.find(channel, ts);
  if (!message || message.subtype === 'tombstone') throw new SlackError('message_not_found');
  if (message.user !== workspace.bot.userId) throw new SlackError(refusal);
  return message;
}
