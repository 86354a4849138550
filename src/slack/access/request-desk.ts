import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Fact } from '../../operations/outcome.ts';
import { scopeWords } from '../../workspaces/rights/pattern.ts';
import type { AccessRequest } from '../../workspaces/rights/request-store.ts';
import type { RequestDesk } from '../../workspaces/rights/requests.ts';
import { button } from '../actions.ts';
import type { SlackClients } from '../clients.ts';
import { buttonRow, factLines, mrkdwn, notes, stepButtons } from '../render/blocks.ts';
import type { Message } from '../render/message.ts';
import { escapeText, notificationText } from '../render/text.ts';
import { requestActions } from './ids.ts';

/** Creates what asks people for rights, in direct messages, and tells the answer there. */
export function createRequestDesk(clients: SlackClients, log: Pick<Logger, 'warn'>): RequestDesk {
  return {
    async ask(request, person, mayNow) {
      const client = await clients(request.asker.teamId);
      try {
        const { channel, ts } = await client.chat.postMessage({ channel: person, ...card(request, mayNow) });
        return channel !== undefined && ts !== undefined ? { channel, ts } : undefined;
      } catch (error) {
        log.warn({ err: error }, 'somebody who could grant a right could not be asked');
        return undefined;
      }
    },

    async tellAnswer(request) {
      const { asker, cards } = request;
      const client = await clients(asker.teamId);
      const message = answered(request);
      const told = await Promise.allSettled([
        client.chat.postMessage({ channel: asker.userId, ...news(request) }),
        ...cards.map((place) => client.chat.update({ ...place, ...message })),
      ]);
      for (const one of told) {
        if (one.status === 'rejected') log.warn({ err: one.reason }, 'an answer could not be told');
      }
    },
  };
}

function words({ right, patterns }: AccessRequest): string {
  return `${right} on ${scopeWords(patterns)}`;
}

/** Asks for a right: who wants what, and what they may do now. */
function card(request: AccessRequest, facts: readonly Fact[]): Message {
  const { id, asker, wanted } = request;
  const may =
    facts.length > 0
      ? [mrkdwn('What they may do now:'), ...factLines(facts)]
      : [mrkdwn('They may do nothing now.')];
  return {
    text: notificationText(`Somebody asks for a right: ${words(request)}`),
    blocks: [
      mrkdwn(`<@${asker.userId}> asks for a right: *${escapeText(words(request))}*`),
      ...(wanted ? [mrkdwn(`They were refused: *${escapeText(wanted.label)}*`)] : []),
      ...may,
      ...notes([
        'The buttons grant exactly this, or nothing. Where others were asked too, the first answer counts.',
      ]),
      ...buttonRow([
        button(requestActions.grant, 'Grant', id, 'primary'),
        button(requestActions.decline, 'Decline', id),
      ]),
    ],
  };
}

/** Shows the answer in the place of the question. */
function answered(request: AccessRequest): Message {
  const { asker, answer } = request;
  const result = answer?.kind === 'granted' ? '✅ Granted' : '🚫 Declined';
  const text = `${result} by <@${answer?.by}>: *${escapeText(words(request))}* for <@${asker.userId}>`;
  return { text: notificationText(`${result}: ${words(request)}`), blocks: [mrkdwn(text)] };
}

/** Tells whoever asked. */
function news(request: AccessRequest): Message {
  const { answer, wanted } = request;
  const isGranted = answer?.kind === 'granted';
  const text = isGranted
    ? `✅ You have it now: *${escapeText(words(request))}*, granted by <@${answer.by}>.`
    : `🚫 Not granted: *${escapeText(words(request))}*, declined by <@${answer?.by}>.`;
  const steps: types.Button[] = isGranted
    ? stepButtons([...(wanted ? [wanted] : []), { label: 'What May I Do?', operation: 'access', input: {} }])
    : [];
  return {
    text: notificationText(`${isGranted ? 'Granted' : 'Not granted'}: ${words(request)}`),
    blocks: [mrkdwn(text), ...buttonRow(steps)],
  };
}
