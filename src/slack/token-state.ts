import { type Logger, webApi } from '@slack/bolt';
import type { TokenState } from '../workspaces/departure.ts';
import { slackTimeoutMs, whileSomebodyWaits } from './clients.ts';
import { isTokenRefused } from './slack-error.ts';

/** Creates what asks Slack whether a token still works. */
export function createTokenStates({
  apiUrl,
  logger,
}: {
  readonly apiUrl: string;
  readonly logger: Logger;
}): (botToken: string) => Promise<TokenState> {
  return async (botToken) => {
    const options = { slackApiUrl: apiUrl, logger, timeout: slackTimeoutMs, retryConfig: whileSomebodyWaits };
    const client = new webApi.WebClient(botToken, options);
    try {
      await client.auth.test();
      return 'good';
    } catch (error) {
      return isTokenRefused(error) ? 'gone' : 'unknown';
    }
  };
}
