import type { App } from '@slack/bolt';
import { createReply } from '../reply.ts';
import { decodeTyped } from '../typed-text.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to mentions, which work in threads, where slash commands do not. */
export function listenToMentions(app: App, { dispatch, clients, answering }: ListenerParts): void {
  app.event('app_mention', async ({ event, body, context }) => {
    const { user: userId } = event;
    if (userId === undefined || context.teamId === undefined || 'bot_id' in event) return;
    const asker = { teamId: context.teamId, userId };
    const origin = { channel: event.channel, ...(event.thread_ts && { threadTs: event.thread_ts }) };
    const asking = {
      asker,
      origin,
      requestKey: `event:${body.event_id}`,
      isClick: false,
      reply: createReply(clients, { asker, origin }),
    };
    const text = event.text.replaceAll(`<@${context.botUserId}>`, ' ');
    answering.later(
      asking.requestKey,
      () => asking,
      () => dispatch.typed(decodeTyped(text), asking),
    );
  });
}
