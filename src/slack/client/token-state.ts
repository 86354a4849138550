import { type Logger, webApi } from '@slack/bolt';
import type { TokenState } from '../../workspaces/uninstaller.ts';
import { interactiveRetry, slackTimeoutMs } from './slack-clients.ts';
import { isTokenError } from './slack-errors.ts';

/** Returns a function that asks Slack whether a token still works. */
export function createTokenCheck({
  apiUrl,
  logger,
}: {
  readonly apiUrl: string;
  readonly logger: Logger;
}): (botToken: string) => Promise<TokenState> {
  return async (botToken) => {
    const options = { slackApiUrl: apiUrl, logger, timeout: slackTimeoutMs, retryConfig: interactiveRetry };
    const client = new webApi.WebClient(botToken, options);
    try {
      await client.auth.test();
      return 'valid';
    } catch (error) {
      return isTokenError(error) ? 'revoked' : 'unknown';
    }
  };
}
