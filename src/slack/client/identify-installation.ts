import { type Logger as SlackLogger, webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import type { Installation } from '../../workspaces/installation-store.ts';
import type { TokenState } from '../../workspaces/uninstaller.ts';
import { interactiveRetry, slackTimeoutMs } from './slack-clients.ts';
import { isSlackPlatformError, isTokenError } from './slack-errors.ts';
import { createSlackLogger } from './slack-logger.ts';

/**
 * Returns the installation that a token belongs to. Throws `setting_invalid` if Slack rejects the token or
 * can't be reached.
 */
export async function identifyInstallation(
  botToken: string,
  { apiUrl, log }: { readonly apiUrl: string; readonly log: Logger },
): Promise<Installation> {
  try {
    const { team_id, team, enterprise_id, bot_id, user_id } = await testToken(
      botToken,
      apiUrl,
      createSlackLogger(log),
    );
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

/** Returns a function that asks Slack whether a token still works. */
export function createTokenCheck({
  apiUrl,
  logger,
}: {
  readonly apiUrl: string;
  readonly logger: SlackLogger;
}): (botToken: string) => Promise<TokenState> {
  return async (botToken) => {
    try {
      await testToken(botToken, apiUrl, logger);
      return 'valid';
    } catch (error) {
      return isTokenError(error) ? 'revoked' : 'unknown';
    }
  };
}

function testToken(botToken: string, slackApiUrl: string, logger: SlackLogger) {
  const options = { slackApiUrl, logger, timeout: slackTimeoutMs, retryConfig: interactiveRetry };
  return new webApi.WebClient(botToken, options).auth.test();
}
