import type { RequiredAccess } from '../../../operations/define/access/access.ts';
import type { ApprovalCards } from '../../../runs/pipeline/approval/approval-card.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { maxRecipients, postToRecipients } from '../post-to-recipients.ts';
import type { RunMessageRenderer } from '../run-message-renderer.ts';
import { closeApprovalCards } from './close-approval-cards.ts';

interface ApprovalCardsDependencies {
  readonly clients: SlackClients;
  /** Lists the people of a workspace who have the required access. */
  readonly listPermittedUsers: (teamId: string, required: RequiredAccess) => Promise<readonly string[]>;
  readonly runMessages: RunMessageRenderer;
}

/**
 * Posts approval cards in the approval channel, with mentions of the people who can approve, or in
 * direct messages to these people.
 */
export function createApprovalCards({
  clients,
  listPermittedUsers,
  runMessages,
}: ApprovalCardsDependencies): ApprovalCards {
  return {
    async post(card, channel) {
      const { actor } = card.run;
      const client = await clients(actor.teamId);
      const message = await runMessages.renderApproval(card);
      const { requiredAccess } = card;
      const people = requiredAccess ? await listPermittedUsers(actor.teamId, requiredAccess) : [];
      const others = people.filter((userId) => userId !== actor.userId);
      const inChannel =
        channel === null ? [] : await postToRecipients(client, [channel], withPings(message, others));
      return inChannel.length > 0 ? inChannel : postToRecipients(client, others, message);
    },

    async update(card, cards) {
      const client = await clients(card.run.actor.teamId);
      const message = await runMessages.renderApproval(card);
      // If one card was deleted, the others must still be updated.
      await Promise.allSettled(cards.map((messageRef) => client.chat.update({ ...messageRef, ...message })));
    },

    async close(run) {
      await closeApprovalCards(await clients(run.actor.teamId), runMessages, run);
    },
  };
}

/**
 * Adds a line that mentions the people who can approve. Slack notifies them when the card is posted, and
 * not when it is edited.
 */
function withPings(message: Message, people: readonly string[]): Message {
  if (people.length === 0) return message;
  const mentions = people.slice(0, maxRecipients).map((userId) => `<@${userId}>`);
  return { ...message, blocks: [...message.blocks, mrkdwn(`${mentions.join(' ')} can approve this.`)] };
}
