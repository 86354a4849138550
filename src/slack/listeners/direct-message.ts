import type { App } from '@slack/bolt';
import { slashCommandName } from '../slash-command-name.ts';
import { createInvocation } from './invocation/create-invocation.ts';
import { decodeSlackText } from './invocation/decode-slack-text.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

/** Handles messages to the app in its Messages tab. Each is a command, with or without `/vps`. */
export function listenToDirectMessages(
  app: App,
  { dispatch, clients, invocationQueue }: ListenerDependencies,
): void {
  app.event('message', async ({ event, body, context }) => {
    if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
    const { teamId, botUserId } = context;
    if (teamId === undefined || event.text === undefined) return;
    const invocation = createInvocation(clients, {
      actor: { teamId, userId: event.user },
      origin: {
        channel: event.channel,
        isDirectMessage: true,
        ...(event.thread_ts && { threadTs: event.thread_ts }),
      },
      requestKey: `event:${body.event_id}`,
    });
    const text = decodeSlackText(event.text.replaceAll(`<@${botUserId}>`, ' '));
    const [firstWord = ''] = text.split(/\s/, 1);
    const typed = firstWord === slashCommandName ? text.slice(firstWord.length) : text;
    invocationQueue.enqueueOnce(invocation, (received) => dispatch.runTyped(typed, received));
  });
}
