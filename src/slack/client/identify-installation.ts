import { webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import type { Installation } from '../../workspaces/installation-store.ts';
import { interactiveRetry, slackTimeoutMs } from './slack-clients.ts';
import { isSlackPlatformError } from './slack-errors.ts';
import { createSlackLogger } from './slack-logger.ts';

/**
 * Returns the installation to which a token belongs. Throws `setting_invalid` if Slack rejects the
 * token or can't be reached.
 */
export async function identifyInstallation(
  botToken: string,
  { apiUrl, log }: { readonly apiUrl: string; readonly log: Logger },
): Promise<Installation> {
  const client = new webApi.WebClient(botToken, {
    slackApiUrl: apiUrl,
    logger: createSlackLogger(log),
    timeout: slackTimeoutMs,
    retryConfig: interactiveRetry,
  });
  try {
    const { team_id, team, enterprise_id, bot_id, user_id } = await client.auth.test();
    if (!team_id || !bot_id || !user_id) throw new Error('Slack did not identify the token');
    return {
      teamId: team_id,
      teamName: team ?? team_id,
      enterpriseId: enterprise_id ?? null,
      botToken,
      botId: bot_id,
      botUserId: user_id,
    };
  } catch (cause) {
    const message = isSlackPlatformError(cause)
      ? `Slack rejected SLACK_BOT_TOKEN (${cause.data.error}).`
      : `Slack can't be reached at ${apiUrl}.`;
    throw new RackhandError('setting_invalid', message, { cause });
  }
}
