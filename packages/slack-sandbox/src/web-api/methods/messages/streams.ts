import { z } from 'zod';
import type { Core } from '../../../core.ts';
import { isObject } from '../../../json.ts';
import { parseMessageContent } from '../../../posting/message-content.ts';
import { postAsApp, toMessageFields } from '../../../posting/post-message.ts';
import type { Channel } from '../../../workspace/channels/channels.ts';
import type { Message } from '../../../workspace/messages/message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../../arguments.ts';
import { resolveChannelById, resolveDestination, resolveThreadParent } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

/** From docs.slack.dev/reference/methods/chat.startStream, `markdown_text`. */
const maxMarkdownChars = 12_000;

const scopes = ['chat:write'];
const textArguments = {
  markdown_text: z.string().nullish(),
  chunks: jsonArgument(z.array(z.looseObject({ type: nonEmptyString }))).nullish(),
};

type TextArguments = z.output<z.ZodObject<typeof textArguments>>;

export const chatStartStream = defineMethod({
  name: 'chat.startStream',
  callers: 'bots',
  tier: 2,
  scopes,
  args: () =>
    z.object({
      ...textArguments,
      channel: nonEmptyString,
      thread_ts: nonEmptyString,
      recipient_team_id: nonEmptyString.optional(),
      recipient_user_id: nonEmptyString.optional(),
      task_display_mode: z.string().optional(),
    }),
  run(args, core, workspace) {
    const channel = resolveDestination(core, workspace, args.channel);
    const threadTs = resolveThreadParent(workspace, channel, args.thread_ts)?.ts;
    if (channel.kind !== 'im') {
      if (args.recipient_team_id === undefined) throw new SlackError('missing_recipient_team_id');
      if (args.recipient_user_id === undefined) throw new SlackError('missing_recipient_user_id');
    }
    const content = { text: readText(args), blocks: undefined, attachments: undefined, metadata: undefined };
    const { ts } = postAsApp(core, workspace, content, { channel, threadTs, streamingState: 'in_progress' });
    return { channel: channel.id, ts };
  },
});

export const chatAppendStream = defineMethod({
  name: 'chat.appendStream',
  callers: 'bots',
  tier: 4,
  scopes,
  args: () => z.object({ ...textArguments, channel: nonEmptyString, ts: nonEmptyString }),
  run(args, _core, workspace) {
    const { channel, message } = resolveStream(workspace, args);
    workspace.messages.decorate(channel.id, message.ts, { text: message.text + readText(args) });
    return { channel: channel.id, ts: message.ts };
  },
});

export const chatStopStream = defineMethod({
  name: 'chat.stopStream',
  callers: 'bots',
  tier: 2,
  scopes,
  args: () =>
    z.object({
      ...textArguments,
      channel: nonEmptyString,
      ts: nonEmptyString,
      blocks: z.unknown().optional(),
      metadata: z.unknown().optional(),
    }),
  run(args, core, workspace) {
    const { channel, message } = resolveStream(workspace, args);
    const final = finishStream(core, workspace, message, args);
    return {
      channel: channel.id,
      ts: message.ts,
      message: workspace.messages.update(channel.id, message.ts, final),
    };
  },
});

interface FinalArguments extends TextArguments {
  readonly blocks?: unknown;
  readonly metadata?: unknown;
}

function finishStream(core: Core, workspace: Workspace, message: Message, args: FinalArguments) {
  const { blocks, metadata } = args;
  const content = parseMessageContent({ blocks, metadata }, workspace, core);
  const text = message.text + readText(args);
  return { ...toMessageFields({ ...content, text }), streaming_state: 'completed' };
}

/** Returns the text of a call: its markdown, and that of its chunks. Chunks of tasks aren't shown. */
function readText({ markdown_text, chunks }: TextArguments): string {
  const parts = (chunks ?? []).flatMap((chunk) =>
    chunk.type === 'markdown_text' && isObject(chunk) ? String(chunk.text ?? '') : [],
  );
  const text = [markdown_text ?? '', ...parts].join('');
  if (text.length > maxMarkdownChars) throw new SlackError('msg_blocks_too_long');
  return text;
}

function resolveStream(
  workspace: Workspace,
  args: { channel: string; ts: string },
): { channel: Channel; message: Message } {
  const channel = resolveChannelById(workspace, args.channel);
  const message = workspace.messages.find(channel.id, args.ts);
  if (!message) throw new SlackError('message_not_found');
  if (message.user !== workspace.caller.userId) throw new SlackError('message_not_owned_by_app');
  if (message.streaming_state !== 'in_progress') throw new SlackError('message_not_in_streaming_state');
  return { channel, message };
}
