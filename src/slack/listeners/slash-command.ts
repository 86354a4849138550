import type { App } from '@slack/bolt';
import { slashCommandName } from '../slash-command-name.ts';
import { createInvocation } from './invocation/create-invocation.ts';
import { decodeSlackText } from './invocation/decode-slack-text.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const overloadedMessage = 'Rackhand is overloaded right now. Nothing was changed. Try again in a minute.';

export function listenToSlashCommand(
  app: App,
  { dispatch, clients, invocationQueue }: ListenerDependencies,
): void {
  app.command(slashCommandName, async ({ ack, command }) => {
    const { team_id: teamId, user_id: userId, channel_id: channel, trigger_id: triggerId } = command;
    const actor = { teamId, userId };
    if (invocationQueue.isFull(actor)) return ack(overloadedMessage);
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
