import type { App } from '@slack/bolt';
import { createReply } from '../reply.ts';
import { decodeTyped } from '../typed-text.ts';
import type { ListenerParts } from './parts.ts';

/** The slash command, as the manifest declares it. */
export const slashCommand = '/vps';

/** Listens to the slash command. */
export function listenToCommand(app: App, { dispatch, clients, answerLater }: ListenerParts): void {
  app.command(slashCommand, async ({ ack, command }) => {
    await ack();
    const asker = { teamId: command.team_id, userId: command.user_id };
    const origin = { channel: command.channel_id };
    const responseUrl = command.response_url;
    const asking = {
      asker,
      origin,
      responseUrl,
      requestKey: `command:${command.trigger_id}`,
      triggerId: command.trigger_id,
      isClick: false,
      reply: createReply(clients, { asker, origin, responseUrl }),
    };
    answerLater(asking, () => dispatch.typed(decodeTyped(command.text), asking));
  });
}
