import { z } from 'zod';
import { assertNotEmpty, parseMessageContent } from '../../../posting/message-content.ts';
import { postAsApp } from '../../../posting/post-message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, integer, nonEmptyString, paging } from '../../arguments.ts';
import { resolveDestination, resolveThreadParent } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { paginate } from '../../pagination.ts';
import { SlackError } from '../../slack-error.ts';
import { contentArguments } from '../content-arguments.ts';

// From docs.slack.dev/reference/methods/chat.scheduleMessage.
const maxAheadSeconds = 120 * 86_400;
const maxInWindow = 30;
const windowSeconds = 300;

export const chatScheduleMessage = defineMethod({
  name: 'chat.scheduleMessage',
  tier: 3,
  scopes: ['chat:write'],
  args: () =>
    z.object({
      ...contentArguments,
      channel: nonEmptyString,
      post_at: integer,
      thread_ts: nonEmptyString.nullish(),
      reply_broadcast: flag.optional(),
    }),
  run(args, core, workspace) {
    const { clock, ids } = core;
    const channel = resolveDestination(core, workspace, args.channel);
    const nowSeconds = Math.floor(clock.now() / 1000);
    if (args.post_at <= nowSeconds) throw new SlackError('time_in_past');
    if (args.post_at > nowSeconds + maxAheadSeconds) throw new SlackError('time_too_far');
    const near = [...workspace.scheduled.values()].filter(
      (each) => each.channel === channel.id && Math.abs(each.postAtSeconds - args.post_at) < windowSeconds,
    );
    if (near.length >= maxInWindow) throw new SlackError('restricted_too_many');
    const content = parseMessageContent(args, workspace, core);
    assertNotEmpty(content);
    const threadTs = resolveThreadParent(workspace, channel, args.thread_ts ?? undefined)?.ts;
    const id = ids.id('Q');
    const cancel = clock.schedule(args.post_at * 1000 - clock.now(), () => {
      workspace.scheduled.delete(id);
      const isThere = core.findWorkspace(workspace.team.id) === workspace && !channel.isArchived;
      if (!isThere || !channel.members.has(workspace.caller.userId)) return;
      postAsApp(core, workspace, content, { channel, threadTs, isBroadcast: args.reply_broadcast });
    });
    const text = content.text ?? '';
    workspace.scheduled.set(id, {
      channel: channel.id,
      postAtSeconds: args.post_at,
      createdSeconds: nowSeconds,
      text,
      cancel,
    });
    const { bot, caller } = workspace;
    return {
      channel: channel.id,
      scheduled_message_id: id,
      post_at: args.post_at,
      message: {
        type: 'delayed_message',
        text,
        user: caller.userId,
        bot_id: bot.id,
        team: workspace.team.id,
      },
    };
  },
});

export const chatScheduledMessagesList = defineMethod({
  name: 'chat.scheduledMessages.list',
  tier: 3,
  args: () =>
    z.object({
      ...paging,
      channel: nonEmptyString.optional(),
      oldest: integer.optional(),
      latest: integer.optional(),
    }),
  run({ channel, oldest = 0, latest = Number.POSITIVE_INFINITY, ...page }, _core, workspace) {
    if (channel !== undefined && !workspace.channels.has(channel)) throw new SlackError('invalid_channel');
    const all = [...workspace.scheduled]
      .filter(([, each]) => channel === undefined || each.channel === channel)
      .filter(([, each]) => each.postAtSeconds >= oldest && each.postAtSeconds <= latest)
      .map(([id, each]) => ({
        id,
        channel_id: each.channel,
        post_at: each.postAtSeconds,
        date_created: each.createdSeconds,
        text: each.text,
      }));
    const { items, response_metadata } = paginate(all, page, 100);
    return { scheduled_messages: items, response_metadata };
  },
});

export const chatDeleteScheduledMessage = defineMethod({
  name: 'chat.deleteScheduledMessage',
  tier: 3,
  scopes: ['chat:write'],
  args: () => z.object({ channel: nonEmptyString, scheduled_message_id: nonEmptyString }),
  run({ channel, scheduled_message_id: id }, _core, workspace) {
    const scheduled = resolveScheduled(workspace, channel, id);
    scheduled.cancel();
    workspace.scheduled.delete(id);
    return {};
  },
});

function resolveScheduled(workspace: Workspace, channel: string, id: string) {
  if (!workspace.channels.has(channel)) throw new SlackError('channel_not_found');
  const scheduled = workspace.scheduled.get(id);
  if (scheduled?.channel !== channel) throw new SlackError('invalid_scheduled_message_id');
  return scheduled;
}
