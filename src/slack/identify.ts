import { webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { Installation } from '../workspaces/installation-store.ts';
import { slackTimeoutMs, whileSomebodyWaits } from './clients.ts';
import { createSlackLogger } from './logger.ts';
import { isRefusedBySlack } from './slack-error.ts';

/** Asks Slack whose token this is. Throws `setting_invalid` where Slack does not know it, or cannot be reached. */
export async function identifyInstallation(
  botToken: string,
  { apiUrl, log }: { readonly apiUrl: string; readonly log: Logger },
): Promise<Installation> {
  const client = new webApi.WebClient(botToken, {
    slackApiUrl: apiUrl,
    logger: createSlackLogger(log),
    timeout: slackTimeoutMs,
    retryConfig: whileSomebodyWaits,
  });
  try {
    const { team_id, team, enterprise_id, bot_id, user_id } = await client.auth.test();
    if (!team_id || !bot_id || !user_id) throw new Error('Slack did not say whose token this is');
    return {
      teamId: team_id,
      teamName: team ?? team_id,
      enterpriseId: enterprise_id ?? null,
      botToken,
      botId: bot_id,
      botUserId: user_id,
    };
  } catch (cause) {
    const message = isRefusedBySlack(cause)
      ? `Slack does not accept SLACK_BOT_TOKEN (${cause.data.error}).`
      : `Slack cannot be reached at ${apiUrl}.`;
    throw new RackhandError('setting_invalid', message, { cause });
  }
}
