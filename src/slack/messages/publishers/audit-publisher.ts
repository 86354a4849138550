import type { Logger } from 'pino';
import type { AuditPublisher, PublishResult } from '../../../audit/subscriptions/audit-notifier.ts';
import { renderAuditNotifications } from '../../blocks/audit-notifications.ts';
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
