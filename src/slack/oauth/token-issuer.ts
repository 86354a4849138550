import { type Logger, webApi } from '@slack/bolt';
import type { SlackOauth } from '../../config.ts';
import type { IssuedTokens, RefusedTokens, TokenIssuer } from '../../workspaces/token-rotation.ts';
import { interactiveRetry, slackTimeoutMs } from '../client/slack-clients.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';

/** Slack's errors for a token that can never be exchanged. Retrying is pointless. */
const refusals = new Set([
  'invalid_refresh_token',
  'invalid_token',
  'token_already_exchanged',
  'authorization_not_found',
  'token_rotation_not_enabled',
]);

interface TokenResponse {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/**
 * Creates the token issuer, which calls Slack. Bolt's own token rotation isn't used, because it runs only when an
 * event arrives, and on several replicas at once.
 */
export function createTokenIssuer(
  { clientId, clientSecret }: SlackOauth,
  { apiUrl, logger }: { readonly apiUrl: string; readonly logger: Logger },
): TokenIssuer {
  const { oauth } = new webApi.WebClient(undefined, {
    slackApiUrl: apiUrl,
    logger,
    timeout: slackTimeoutMs,
    retryConfig: interactiveRetry,
  });
  const client = { client_id: clientId, client_secret: clientSecret };

  async function read(response: Promise<TokenResponse>): Promise<IssuedTokens | RefusedTokens> {
    try {
      const { access_token: botToken, refresh_token: refreshToken, expires_in: seconds } = await response;
      if (!botToken || !refreshToken || !seconds) throw new Error('Slack issued no refresh token');
      return { kind: 'issued', botToken, refreshToken, lifetimeMs: seconds * 1_000 };
    } catch (error) {
      if (isSlackPlatformError(error) && refusals.has(error.data.error))
        return { kind: 'refused', reason: error.data.error };
      throw error;
    }
  }

  return {
    refresh: (refreshToken) =>
      read(oauth.v2.access({ ...client, grant_type: 'refresh_token', refresh_token: refreshToken })),
    exchange: (token) => read(oauth.v2.exchange({ ...client, token })),
  };
}
