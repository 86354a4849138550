import type { Catalogue } from '../../operations/catalogue.ts';
import type { Need } from '../../operations/runs/access.ts';
import { needOf } from '../../operations/runs/access.ts';
import type { ApprovalDesk } from '../../operations/runs/approval.ts';
import type { SlackClients } from '../clients.ts';
import { postToEach } from '../post-to-each.ts';
import type { RunMessages } from '../run-message.ts';
import { closeCards } from './close-cards.ts';

interface DeskParts {
  readonly clients: SlackClients;
  readonly catalogue: Catalogue;
  /** Lists people of a workspace who may do something. */
  readonly whoMay: (teamId: string, need: Need) => Promise<readonly string[]>;
  readonly runMessages: RunMessages;
}

/** Creates what shows cards to those who can approve: in a channel, or in their direct messages. */
export function createApprovalDesk({ clients, catalogue, whoMay, runMessages }: DeskParts): ApprovalDesk {
  return {
    async post(card, channel) {
      const { asker, operation, input } = card.run;
      const client = await clients(asker.teamId);
      const message = await runMessages.asking(card);
      const inChannel = channel === null ? [] : await postToEach(client, [channel], message);
      if (inChannel.length > 0) return inChannel;
      const found = catalogue.find(operation);
      const need = found && needOf(found, input);
      const people = need ? await whoMay(asker.teamId, need) : [];
      const others = people.filter((userId) => userId !== asker.userId);
      return postToEach(client, others, message);
    },

    async refresh(card, places) {
      const client = await clients(card.run.asker.teamId);
      const message = await runMessages.asking(card);
      // One card that somebody has deleted must not keep the others from being shown anew.
      await Promise.allSettled(places.map((place) => client.chat.update({ ...place, ...message })));
    },

    async close(run) {
      await closeCards(await clients(run.asker.teamId), runMessages, run);
    },
  };
}
