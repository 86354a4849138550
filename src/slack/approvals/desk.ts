import type { Catalogue } from '../../operations/catalogue.ts';
import type { Need } from '../../operations/runs/access.ts';
import { needOf } from '../../operations/runs/access.ts';
import type { ApprovalDesk, CardPlace } from '../../operations/runs/approval.ts';
import type { SlackClients } from '../clients.ts';
import { renderApproval } from '../render/approval.ts';
import { cannotSpeakThere } from '../slack-error.ts';

/** Most people who are asked in direct messages. */
const mostAsked = 10;

interface DeskParts {
  readonly clients: SlackClients;
  readonly catalogue: Catalogue;
  /** Lists people of a workspace who may do something. */
  readonly whoMay: (teamId: string, need: Need) => Promise<readonly string[]>;
}

/** Creates what shows cards to those who can approve: in a channel, or in their direct messages. */
export function createApprovalDesk({ clients, catalogue, whoMay }: DeskParts): ApprovalDesk {
  return {
    async post(card, channel) {
      const { asker, operation, input } = card.run;
      const client = await clients(asker.teamId);
      const message = renderApproval(card);
      const post = async (to: string): Promise<CardPlace[]> => {
        try {
          const { channel: posted, ts } = await client.chat.postMessage({ channel: to, ...message });
          return posted !== undefined && ts !== undefined ? [{ channel: posted, ts }] : [];
        } catch (error) {
          // The app is not in that channel, or that person is gone: others can still be asked.
          if (!cannotSpeakThere(error)) throw error;
          return [];
        }
      };
      const inChannel = channel === null ? [] : await post(channel);
      if (inChannel.length > 0) return inChannel;
      const found = catalogue.find(operation);
      const need = found && needOf(found, input);
      const people = need ? await whoMay(asker.teamId, need) : [];
      const others = people.filter((userId) => userId !== asker.userId).slice(0, mostAsked);
      return (await Promise.all(others.map(post))).flat();
    },

    async refresh(card, places) {
      const client = await clients(card.run.asker.teamId);
      const message = renderApproval(card);
      // One card that somebody has deleted must not keep the others from being shown anew.
      await Promise.allSettled(places.map((place) => client.chat.update({ ...place, ...message })));
    },
  };
}
