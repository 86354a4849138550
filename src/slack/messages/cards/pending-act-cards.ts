import type { Logger } from 'pino';
import type { PendingAct, PendingActCards } from '../../../auth/second-person/pending-act.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { buttonRow, mrkdwn, noteBlocks, plainSection } from '../../blocks/elements/blocks.ts';
import { button, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { PostApprovalRequest } from './post-approval-request.ts';

/** Asks people to approve acts on Rackhand's own data, and shows the decisions. */
export function createPendingActCards(
  clients: SlackClients,
  postRequest: PostApprovalRequest,
  log: Pick<Logger, 'warn'>,
): PendingActCards {
  return {
    send: (act, people, route) =>
      postRequest({ teamId: act.actor.teamId, message: renderRequest(act), people, route }),

    async showDecision(act) {
      const client = await clients(act.actor.teamId);
      const results = await Promise.allSettled([
        client.chat.postMessage({ channel: act.actor.userId, ...renderNotification(act) }),
        ...act.cards.map((card) => client.chat.update({ ...card, ...renderDecided(act) })),
      ]);
      for (const result of results) {
        if (result.status === 'rejected')
          log.warn({ err: result.reason }, 'the decision of a second person could not be shown');
      }
    },
  };
}

function renderRequest({ id, actor, title }: PendingAct): Message {
  return {
    text: notificationText(`Approval needed: ${title}`),
    blocks: [
      mrkdwn(`<@${actor.userId}> needs approval by a second person:`),
      plainSection(title),
      ...noteBlocks(['If others were asked too, the first decision counts.']),
      ...buttonRow([
        withSpokenLabel(button(actionIds.approveAct, 'Approve', id, 'primary'), `Approve: ${title}`),
        withSpokenLabel(button(actionIds.declineAct, 'Decline', id), `Decline: ${title}`),
      ]),
    ],
  };
}

function renderDecided(act: PendingAct): Message {
  const { actor, title } = act;
  const text = `${formatDecision(act)} for <@${actor.userId}>:`;
  return { text: notificationText(`Decided: ${title}`), blocks: [mrkdwn(text), plainSection(title)] };
}

function renderNotification(act: PendingAct): Message {
  const isSecretReady = act.kind === 'reveal' && act.decision?.kind === 'approved';
  const advice = isSecretReady ? [mrkdwn('Press Show Once again.')] : [];
  return {
    text: notificationText(`Decided: ${act.title}`),
    blocks: [mrkdwn(`${formatDecision(act)}:`), plainSection(act.title), ...advice],
  };
}

function formatDecision({ decision }: PendingAct): string {
  return `${decision?.kind === 'approved' ? '✅ Approved' : '🚫 Declined'} by <@${decision?.by}>`;
}
