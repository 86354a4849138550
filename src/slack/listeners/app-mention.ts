import type { App } from '@slack/bolt';
import { createInvocation } from './invocation/create-invocation.ts';
import { decodeSlackText } from './invocation/decode-slack-text.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

/**
 * Handles mentions. Unlike slash commands, they also work in threads. Everyone sees the reply to a
 * read, because everyone saw the question.
 */
export function listenToAppMentions(
  app: App,
  { dispatch, clients, invocationQueue }: ListenerDependencies,
): void {
  app.event('app_mention', async ({ event, body, context }) => {
    const { user: userId } = event;
    if (userId === undefined || context.teamId === undefined || 'bot_id' in event) return;
    const invocation = createInvocation(clients, {
      actor: { teamId: context.teamId, userId },
      origin: { channel: event.channel, ...(event.thread_ts && { threadTs: event.thread_ts }) },
      requestKey: `event:${body.event_id}`,
    });
    const text = event.text.replaceAll(`<@${context.botUserId}>`, ' ');
    invocationQueue.enqueueOnce(invocation, (received) =>
      dispatch.runTyped(decodeSlackText(text), received, { areReadsPublic: true }),
    );
  });
}
