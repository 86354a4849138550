import type { App } from '@slack/bolt';
import { createInvocation } from '../invocation.ts';
import { slashCommandName } from '../slash-command-name.ts';
import { decodeSlackText } from './invocation/decode-slack-text.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const tooManyMessage =
  'Too many of your requests are still running. Nothing was changed. Try again in a minute.';

export function listenToSlashCommand(
  app: App,
  { dispatch, clients, invocationQueue }: ListenerDependencies,
): void {
  app.command(slashCommandName, async ({ ack, command }) => {
    const { team_id: teamId, user_id: userId, channel_id: channel, trigger_id: triggerId } = command;
    const actor = { teamId, userId };
    if (invocationQueue.isFull(actor)) return ack(tooManyMessage);
    await ack();
    const invocation = createInvocation(clients, {
      actor,
      origin: { channel, responseUrl: command.response_url },
      requestKey: `command:${triggerId}`,
      triggerId,
    });
    invocationQueue.enqueueOnce(invocation, (received) =>
      dispatch.runTyped(decodeSlackText(command.text), received),
    );
  });
}

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
