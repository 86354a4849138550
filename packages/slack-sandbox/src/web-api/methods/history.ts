import { z } from 'zod';
import type { JsonObject } from '../../json.ts';
import { type Message, withReplySummary } from '../../workspace/messages/message.ts';
import { flag, nonEmptyString, paging } from '../arguments.ts';
import { resolveChannelById } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { assertChannelScope } from '../objects/channel-object.ts';
import { paginate } from '../pagination.ts';
import { SlackError } from '../slack-error.ts';

const scopes = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

const rangeArguments = {
  ...paging,
  channel: nonEmptyString,
  latest: z.string().optional(),
  oldest: z.string().optional(),
  inclusive: flag.optional(),
  include_all_metadata: flag.optional(),
};

type RangeArguments = z.output<z.ZodObject<typeof rangeArguments>>;

export const conversationsHistory = defineMethod({
  name: 'conversations.history',
  tier: 3,
  scopes,
  args: () => z.object(rangeArguments),
  run(args, core, workspace) {
    const channel = resolveChannelById(workspace, args.channel);
    assertChannelScope(core.manifest, channel, 'history');
    if (!channel.members.has(workspace.caller.userId)) throw new SlackError('not_in_channel');
    const all = workspace.messages.list(channel.id);
    const roots = all.filter(
      ({ thread_ts, ts, subtype }) =>
        thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
    );
    return {
      ...toHistoryPage(filterByRange(roots, args).toReversed(), all, args, 100),
      pin_count: channel.pins.length,
    };
  },
});

export const conversationsReplies = defineMethod({
  name: 'conversations.replies',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: () => z.object({ ...rangeArguments, ts: nonEmptyString }),
  run(args, core, workspace) {
    const channel = resolveChannelById(workspace, args.channel);
    assertChannelScope(core.manifest, channel, 'history');
    if (!channel.members.has(workspace.caller.userId)) throw new SlackError('not_in_channel');
    const all = workspace.messages.list(channel.id);
    const parent = all.find(({ ts }) => ts === args.ts);
    if (!parent) throw new SlackError('thread_not_found');
    const replies = all.filter(({ thread_ts, ts }) => thread_ts === parent.ts && ts !== parent.ts);
    const page = toHistoryPage([parent, ...filterByRange(replies, args)], all, args, 1000);
    return { ...page, messages: page.messages.map((message) => withReadState(message, replies)) };
  },
});

/** Adds to a thread's parent how far the caller has read it. The sandbox counts every reply as read. */
function withReadState(message: JsonObject, replies: readonly Message[]): JsonObject {
  const last = replies.at(-1);
  if (message.reply_count === undefined || !last) return message;
  return { ...message, subscribed: true, last_read: last.ts, unread_count: 0 };
}

function filterByRange(
  messages: readonly Message[],
  { latest, oldest, inclusive }: RangeArguments,
): Message[] {
  const end = parseTs(latest, 'invalid_ts_latest') ?? Number.POSITIVE_INFINITY;
  const start = parseTs(oldest, 'invalid_ts_oldest') ?? 0;
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= start && at <= end : at > start && at < end;
  });
}

function parseTs(text: string | undefined, error: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new SlackError(error);
  return Number(text);
}

function toHistoryPage(
  messages: readonly Message[],
  all: readonly Message[],
  args: RangeArguments,
  defaultItems: number,
): JsonObject & { readonly messages: readonly JsonObject[] } {
  const { items, hasMore, response_metadata } = paginate(messages, args, defaultItems);
  const shown = items.map((message) => {
    const { metadata, ...rest } = withReplySummary(message, all);
    return args.include_all_metadata && metadata !== undefined ? { ...rest, metadata } : rest;
  });
  return { messages: shown, has_more: hasMore, ...(hasMore && { response_metadata }) };
}
