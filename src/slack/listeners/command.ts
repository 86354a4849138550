import type { App, SlashCommand } from '@slack/bolt';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { createReply } from '../reply.ts';
import { slashCommand } from '../slash-command.ts';
import { decodeTyped } from '../typed-text.ts';
import type { ListenerParts } from './parts.ts';

const tooMuch = 'Rackhand has more to do than it can right now. Nothing was changed; try again in a minute.';

/** Listens to the slash command. */
export function listenToCommand(app: App, { dispatch, clients, answering }: ListenerParts): void {
  app.command(slashCommand, async ({ ack, command }) => {
    if (answering.isFull()) return ack(tooMuch);
    await ack();
    answering.later(
      requestKeyOf(command),
      () => askingOf(command, clients),
      (asking) => dispatch.typed(decodeTyped(command.text), asking),
    );
  });
}

function requestKeyOf({ trigger_id }: SlashCommand): string {
  return `command:${trigger_id}`;
}

function askingOf(command: SlashCommand, clients: SlackClients): Asking {
  const asker = { teamId: command.team_id, userId: command.user_id };
  const origin = { channel: command.channel_id, responseUrl: command.response_url };
  return {
    asker,
    origin,
    requestKey: requestKeyOf(command),
    triggerId: command.trigger_id,
    isClick: false,
    reply: createReply(clients, { asker, origin }),
  };
}
