import { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import { type Message, withReplies } from '../../world/messages.ts';
import { flag, paging, reference } from '../arguments.ts';
import { requireChannelScope } from '../channel-facts.ts';
import { channelById } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { pageOf } from '../pages.ts';
import { SlackError } from '../slack-error.ts';

const scopes = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

const span = {
  ...paging,
  channel: reference,
  latest: z.string().optional(),
  oldest: z.string().optional(),
  inclusive: flag.optional(),
  include_all_metadata: flag.optional(),
};

type Span = z.output<z.ZodObject<typeof span>>;

export const conversationsHistory = defineMethod({
  name: 'conversations.history',
  tier: 3,
  scopes,
  args: z.object(span),
  run(args, core, workspace) {
    const channel = channelById(workspace, args.channel);
    requireChannelScope(core.manifest, channel, 'history');
    if (!channel.members.has(workspace.bot.userId)) throw new SlackError('not_in_channel');
    const all = workspace.messages.list(channel.id);
    const roots = all.filter(
      ({ thread_ts, ts, subtype }) =>
        thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
    );
    return answer(within(roots, args).toReversed(), all, args, 100);
  },
});

export const conversationsReplies = defineMethod({
  name: 'conversations.replies',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: z.object({ ...span, ts: reference }),
  run(args, core, workspace) {
    const channel = channelById(workspace, args.channel);
    requireChannelScope(core.manifest, channel, 'history');
    if (!channel.members.has(workspace.bot.userId)) throw new SlackError('not_in_channel');
    const all = workspace.messages.list(channel.id);
    const parent = all.find(({ ts }) => ts === args.ts);
    if (!parent) throw new SlackError('thread_not_found');
    const replies = all.filter(({ thread_ts, ts }) => thread_ts === parent.ts && ts !== parent.ts);
    return answer([parent, ...within(replies, args)], all, args, 1000);
  },
});

function within(messages: readonly Message[], { latest, oldest, inclusive }: Span): Message[] {
  const end = tsOf(latest, 'invalid_ts_latest') ?? Number.POSITIVE_INFINITY;
  const start = tsOf(oldest, 'invalid_ts_oldest') ?? 0;
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= start && at <= end : at > start && at < end;
  });
}

function tsOf(text: string | undefined, error: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new SlackError(error);
  return Number(text);
}

function answer(
  messages: readonly Message[],
  all: readonly Message[],
  args: Span,
  defaultItems: number,
): JsonObject {
  const { items, hasMore, response_metadata } = pageOf(messages, args, defaultItems);
  const shown = items.map((message) => {
    const { metadata, ...rest } = withReplies(message, all);
    return args.include_all_metadata && metadata !== undefined ? { ...rest, metadata } : rest;
  });
  return { messages: shown, has_more: hasMore, ...(hasMore && { response_metadata }) };
}
