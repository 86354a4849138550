import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import {
  type AccessRequest,
  type AccessRequestCards,
  formatRequest,
} from '../../../auth/access-requests/access-request.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { type LabelVps, labelFacts } from '../../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { buttonRow, factLines, mrkdwn, noteBlocks, stepButtons } from '../../blocks/elements/blocks.ts';
import { button, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { escapeText, notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { requirePosted } from '../require-posted.ts';

/** Sends access requests by direct message to people who can grant them, and shows the decisions. */
export function createAccessRequestCards(
  clients: SlackClients,
  labelVpsFor: LabelVpsFor,
  log: Pick<Logger, 'warn'>,
): AccessRequestCards {
  return {
    async send(request, person, currentAccess) {
      const { teamId } = request.actor;
      const client = await clients(teamId);
      try {
        const message = renderRequests([request], currentAccess, await labelVpsFor(teamId));
        return requirePosted(await client.chat.postMessage({ channel: person, ...message }));
      } catch (error) {
        log.warn({ err: error }, 'an access request could not be sent to a person');
        return undefined;
      }
    },

    async edit(open, currentAccess) {
      const [first] = open;
      if (!first) return [];
      const { teamId } = first.actor;
      const client = await clients(teamId);
      const message = renderRequests(open, currentAccess, await labelVpsFor(teamId));
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
      const label = await labelVpsFor(actor.teamId);
      const message = renderDecided(request, open, label);
      const results = await Promise.allSettled([
        client.chat.postMessage({ channel: actor.userId, ...renderDecisionNotification(request, label) }),
        ...cards.map((card) => client.chat.update({ ...card, ...message })),
      ]);
      for (const result of results) {
        if (result.status === 'rejected')
          log.warn({ err: result.reason }, 'the decision on an access request could not be shown');
      }
    },
  };
}

/** Renders a person's card, which contains all of their open requests. */
function renderRequests(
  open: readonly AccessRequest[],
  currentAccess: readonly Fact[],
  label: LabelVps,
): Message {
  const current =
    currentAccess.length > 0
      ? [mrkdwn('Current access:'), ...factLines(labelFacts(currentAccess, label))]
      : [mrkdwn('No access so far.')];
  return {
    text: notificationText(`Access request: ${label(open.map(formatRequest).join('; '))}`),
    blocks: [
      ...current,
      ...open.flatMap((request) => renderOpen(request, label)),
      ...noteBlocks([
        'Grant allows exactly this and nothing more. If other admins were asked too, the first decision counts.',
      ]),
    ],
  };
}

function renderOpen(request: AccessRequest, label: LabelVps): types.KnownBlock[] {
  const { id, actor, followUpStep } = request;
  const requested = label(formatRequest(request));
  return [
    mrkdwn(`<@${actor.userId}> requests access: *${escapeText(requested)}*`),
    ...(followUpStep ? [mrkdwn(`Denied before: *${escapeText(label(followUpStep.label))}*`)] : []),
    ...buttonRow([
      withSpokenLabel(button(actionIds.grantRequest, 'Grant', id, 'primary'), `Grant: ${requested}`),
      withSpokenLabel(button(actionIds.declineRequest, 'Decline', id), `Decline: ${requested}`),
    ]),
  ];
}

function renderDecided(request: AccessRequest, open: readonly AccessRequest[], label: LabelVps): Message {
  const { actor, decision } = request;
  const requested = label(formatRequest(request));
  const result = decision?.kind === 'granted' ? '✅ Granted' : '🚫 Declined';
  const text = `${result} by <@${decision?.by}>: *${escapeText(requested)}* for <@${actor.userId}>`;
  return {
    text: notificationText(`${result}: ${requested}`),
    blocks: [mrkdwn(text), ...open.flatMap((other) => renderOpen(other, label))],
  };
}

/**
 * Renders the message about a decision. The names of VPS are shown only if the right was granted.
 */
function renderDecisionNotification(request: AccessRequest, label: LabelVps): Message {
  const { decision, followUpStep } = request;
  const isGranted = decision?.kind === 'granted';
  const requested = isGranted ? label(formatRequest(request)) : formatRequest(request);
  const text = isGranted
    ? `✅ Granted by <@${decision.by}>: *${escapeText(requested)}*.`
    : `🚫 Declined by <@${decision?.by}>: *${escapeText(requested)}*.`;
  const steps: types.Button[] = isGranted
    ? stepButtons([
        ...(followUpStep ? [{ ...followUpStep, label: label(followUpStep.label) }] : []),
        { label: 'Show My Access', operation: 'access', input: {} },
      ])
    : [];
  return {
    text: notificationText(`${isGranted ? 'Granted' : 'Declined'}: ${requested}`),
    blocks: [mrkdwn(text), ...buttonRow(steps)],
  };
}
