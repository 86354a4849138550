import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import {
  type AccessRequest,
  type AccessRequestCards,
  formatRequest,
} from '../../../auth/access-requests/access-request.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { buttonRow, factLines, mrkdwn, noteBlocks, stepButtons } from '../../blocks/elements/blocks.ts';
import { button } from '../../blocks/elements/buttons.ts';
import { escapeText, notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { requirePosted } from '../require-posted.ts';

/** Sends access requests by direct message to people who can grant them, and shows the decisions. */
export function createAccessRequestCards(
  clients: SlackClients,
  log: Pick<Logger, 'warn'>,
): AccessRequestCards {
  return {
    async send(request, person, currentAccess) {
      const client = await clients(request.actor.teamId);
      try {
        const message = renderRequests([request], currentAccess);
        return requirePosted(await client.chat.postMessage({ channel: person, ...message }));
      } catch (error) {
        log.warn({ err: error }, 'an access request could not be sent to a person');
        return undefined;
      }
    },

    async edit(open, currentAccess) {
      const [first] = open;
      if (!first) return [];
      const client = await clients(first.actor.teamId);
      const message = renderRequests(open, currentAccess);
      const edits = first.cards.map(async (card) => {
        try {
          await client.chat.update({ ...card, ...message });
          return [card];
        } catch (error) {
          log.warn({ err: error }, 'an access request card could not be edited');
          return [];
        }
      });
      return (await Promise.all(edits)).flat();
    },

    async showDecision(request, open) {
      const { actor, cards } = request;
      const client = await clients(actor.teamId);
      const message = renderDecided(request, open);
      const results = await Promise.allSettled([
        client.chat.postMessage({ channel: actor.userId, ...renderDecisionNotification(request) }),
        ...cards.map((card) => client.chat.update({ ...card, ...message })),
      ]);
      for (const result of results) {
        if (result.status === 'rejected')
          log.warn({ err: result.reason }, 'the decision on an access request could not be shown');
      }
    },
  };
}

/** Renders the card of a person, with all of their open requests. */
function renderRequests(open: readonly AccessRequest[], currentAccess: readonly Fact[]): Message {
  const current =
    currentAccess.length > 0
      ? [mrkdwn('Current access:'), ...factLines(currentAccess)]
      : [mrkdwn('No access so far.')];
  return {
    text: notificationText(`Access request: ${open.map(formatRequest).join('; ')}`),
    blocks: [
      ...current,
      ...open.flatMap(renderOpen),
      ...noteBlocks([
        'Grant allows exactly this and nothing more. If other admins were asked too, the first decision counts.',
      ]),
    ],
  };
}

function renderOpen(request: AccessRequest): types.KnownBlock[] {
  const { id, actor, followUpStep } = request;
  return [
    mrkdwn(`<@${actor.userId}> requests access: *${escapeText(formatRequest(request))}*`),
    ...(followUpStep ? [mrkdwn(`Denied before: *${escapeText(followUpStep.label)}*`)] : []),
    ...buttonRow([
      button(actionIds.grantRequest, 'Grant', id, 'primary'),
      button(actionIds.declineRequest, 'Decline', id),
    ]),
  ];
}

function renderDecided(request: AccessRequest, open: readonly AccessRequest[]): Message {
  const { actor, decision } = request;
  const result = decision?.kind === 'granted' ? '✅ Granted' : '🚫 Declined';
  const text = `${result} by <@${decision?.by}>: *${escapeText(formatRequest(request))}* for <@${actor.userId}>`;
  return {
    text: notificationText(`${result}: ${formatRequest(request)}`),
    blocks: [mrkdwn(text), ...open.flatMap(renderOpen)],
  };
}

function renderDecisionNotification(request: AccessRequest): Message {
  const { decision, followUpStep } = request;
  const isGranted = decision?.kind === 'granted';
  const text = isGranted
    ? `✅ Granted by <@${decision.by}>: *${escapeText(formatRequest(request))}*.`
    : `🚫 Declined by <@${decision?.by}>: *${escapeText(formatRequest(request))}*.`;
  const steps: types.Button[] = isGranted
    ? stepButtons([
        ...(followUpStep ? [followUpStep] : []),
        { label: 'Show My Access', operation: 'access', input: {} },
      ])
    : [];
  return {
    text: notificationText(`${isGranted ? 'Granted' : 'Declined'}: ${formatRequest(request)}`),
    blocks: [mrkdwn(text), ...buttonRow(steps)],
  };
}
