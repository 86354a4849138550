import type { RequiredAccess } from '../../../operations/define/access/access.ts';
import type { ApprovalCards } from '../../../runs/pipeline/approval/approval-card.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { RunMessageRenderer } from '../run-message-renderer.ts';
import { closeApprovalCards } from './close-approval-cards.ts';
import type { PostApprovalRequest } from './post-approval-request.ts';

interface ApprovalCardsDependencies {
  readonly clients: SlackClients;
  /** Lists the people of a workspace who have the required access. */
  readonly listPermittedUsers: (teamId: string, required: RequiredAccess) => Promise<readonly string[]>;
  readonly postRequest: PostApprovalRequest;
  readonly runMessages: RunMessageRenderer;
}

/** Posts approval cards to the place that their approval rule names, and updates them. */
export function createApprovalCards({
  clients,
  listPermittedUsers,
  postRequest,
  runMessages,
}: ApprovalCardsDependencies): ApprovalCards {
  return {
    async post(card, route) {
      const { teamId, userId } = card.run.actor;
      const message = await runMessages.renderApproval(card);
      const { requiredAccess } = card;
      const people = requiredAccess ? await listPermittedUsers(teamId, requiredAccess) : [];
      return postRequest({ teamId, message, people: people.filter((person) => person !== userId), route });
    },

    async update(card, cards) {
      const client = await clients(card.run.actor.teamId);
      const message = await runMessages.renderApproval(card);
      // If one card was deleted, the others must still be updated.
      const updates = await Promise.allSettled(
        cards.map((messageRef) => client.chat.update({ ...messageRef, ...message })),
      );
      const failures = updates.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      if (failures.length > 0 && failures.length === cards.length) throw failures[0];
    },

    async close(run) {
      await closeApprovalCards(await clients(run.actor.teamId), runMessages, run);
    },
  };
}
