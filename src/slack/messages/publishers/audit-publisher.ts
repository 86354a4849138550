import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import { toDurationValue } from '../../../audit/audit-entry.ts';
import type { AuditNotification } from '../../../audit/subscriptions/audit-notification.ts';
import type { AuditPublisher, PublishResult } from '../../../audit/subscriptions/audit-notifier.ts';
import { notificationText, toPrintable, truncate } from '../../blocks/elements/text.ts';
import { formatValue } from '../../blocks/elements/value.ts';
import type { Message } from '../../blocks/message.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { slashCommandName } from '../../slash-command-name.ts';
import { attemptPost } from '../post-attempt.ts';

/** Pause before a retry if Slack failed. It is long, because no one waits for these messages. */
const failureRetryMs = 15_000;

const subscriptionIntro = [
  'The activity log is posted to this channel from now on: changes, denials, grants and API keys. They notify no one.',
  `To stop, run \`${slashCommandName} history --to off\`.`,
].join(' ');

/** Posts activity log entries to channels. `clients` must reject a call on a 429 instead of waiting. */
export function createAuditPublisher(clients: SlackClients, log: Pick<Logger, 'warn'>): AuditPublisher {
  async function post(teamId: string, channel: string, message: Message): Promise<PublishResult> {
    try {
      const result = await attemptPost(clients, teamId, (client) =>
        client.chat.postMessage({ channel, ...message }),
      );
      if (result.kind === 'channelGone') return { kind: 'gone' };
      if (result.kind === 'rateLimited') return { kind: 'retry', retryInMs: result.retryInMs };
      if (result.kind === 'posted') return { kind: 'delivered' };
      log.warn({ rejectedAs: result.error }, 'Slack rejected activity log entries; retrying');
    } catch (error) {
      log.warn({ err: error }, 'activity log entries could not be posted to a channel; retrying');
    }
    return { kind: 'retry', retryInMs: failureRetryMs };
  }

  return {
    postNotifications: (teamId, channel, notifications) =>
      post(teamId, channel, renderAuditNotifications(notifications)),
    postIntro: (teamId, channel) => post(teamId, channel, renderNotice(subscriptionIntro)),
    async sendDirectMessage(teamId, userId, outcome) {
      const client = await clients(teamId);
      await client.chat.postMessage({ channel: userId, ...renderOutcome(outcome, {}) });
    },
  };
}

/** Maximum length of each part of a line. A message contains up to twenty lines. */
const maxActionChars = 120;
const maxActorChars = 120;
const maxOutcomeChars = 200;

/**
 * Renders activity log entries, one line each. Rich text keeps untrusted text from mentioning
 * anyone.
 */
export function renderAuditNotifications(notifications: readonly AuditNotification[]): Message {
  const lines = notifications.map(toLine);
  const elements = lines.flatMap(({ what, rest }, index): types.RichTextElement[] => [
    { type: 'text', text: `${index === 0 ? '' : '\n'}${what}`, style: { bold: true } },
    { type: 'text', text: rest },
  ]);
  const [first] = lines;
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : '';
  return {
    text: notificationText(`${first?.what ?? ''}${first?.rest ?? ''}${more}`),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  };
}

function toLine({ statusText, action, actors, durationMs, summary }: AuditNotification) {
  const parts = [
    statusText,
    formatPart(actors, maxActorChars),
    ...(durationMs === null ? [] : [formatValue(toDurationValue(durationMs))]),
    ...(summary === undefined ? [] : [formatPart(summary, maxOutcomeChars)]),
  ];
  return { what: formatPart(action, maxActionChars), rest: ` · ${parts.join(' · ')}` };
}

function formatPart(text: string, maxChars: number): string {
  return truncate(toPrintable(text).replace(/\s+/g, ' '), maxChars);
}
