import type { Logger } from '@slack/bolt';
import { webApi } from '@slack/bolt';
import { RackhandError } from '../../errors.ts';
import { type Installation, type InstallationStore, isOrgWide } from '../../workspaces/installation-store.ts';
import { isExpiredTokenError, isTokenError } from './slack-errors.ts';

export type SlackClient = webApi.WebClient;

/**
 * Returns a workspace's Web API client. Throws `not_installed` if the app isn't installed in the
 * workspace.
 */
export type SlackClients = ((teamId: string) => Promise<SlackClient>) & {
  /** URL of Slack's Web API. */
  readonly apiUrl: string;
};

/** Timeout of one call. */
export const slackTimeoutMs = 10_000;

/** For calls that a person waits for: one retry after half a second. */
export const interactiveRetry = { retries: 1, minTimeout: 500 };

/** For messages that nobody waits for but that must arrive: retries for about five minutes. */
export const notificationRetry = webApi.retryPolicies.fiveRetriesInFiveMinutes;

interface SlackClientOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly retryConfig: webApi.RetryOptions;
  /** Whether a 429 makes only this call fail, instead of delaying every call of the workspace. */
  readonly rejectRateLimitedCalls?: boolean;
  /** Called when Slack rejects an installation's token. Not awaited. */
  readonly onTokenRefused?: (installation: Installation) => void;
}

interface TokenChecks {
  /** Returns the token that has replaced the client's, if another replica rotated it. */
  readonly findNewToken: () => Promise<string | undefined>;
  readonly onTokenRefused: () => void;
}

/** A client that reports a rejected token, whichever method Slack rejected it for. */
class TokenCheckingClient extends webApi.WebClient {
  readonly #checks: TokenChecks;

  constructor(token: string, options: webApi.WebClientOptions, checks: TokenChecks) {
    super(token, options);
    this.#checks = checks;
  }

  override async apiCall(...[method, options]: Parameters<webApi.WebClient['apiCall']>) {
    try {
      return await super.apiCall(method, options);
    } catch (error) {
      if (!isTokenError(error) && !isExpiredTokenError(error)) throw error;
      const token = await this.#checks.findNewToken();
      if (token !== undefined) return super.apiCall(method, { ...options, token });
      if (isTokenError(error)) this.#checks.onTokenRefused();
      throw error;
    }
  }
}

/**
 * Caches a client for each workspace, with the token of its installation. A 429 pauses a whole
 * client, so interactive calls and run messages use separate clients.
 */
export function createSlackClients(
  installations: Pick<InstallationStore, 'find' | 'findFresh'>,
  { apiUrl, logger, retryConfig, rejectRateLimitedCalls = false, onTokenRefused }: SlackClientOptions,
): SlackClients {
  const clients = new Map<string, { token: string; client: SlackClient }>();

  const findClient = async (teamId: string) => {
    const installation = await installations.find(teamId);
    if (!installation) {
      clients.delete(teamId);
      throw notInstalledError();
    }
    const { botToken: token } = installation;
    const cached = clients.get(teamId);
    if (cached?.token === token) return cached.client;
    const options = {
      slackApiUrl: apiUrl,
      logger,
      retryConfig,
      rejectRateLimitedCalls,
      timeout: slackTimeoutMs,
      // An organization's token works in many workspaces, so every call names one.
      ...(isOrgWide(installation) && { teamId }),
    };
    const client = new TokenCheckingClient(token, options, {
      async findNewToken() {
        const current = await installations.findFresh(teamId);
        return current?.botToken === token ? undefined : current?.botToken;
      },
      onTokenRefused: () => onTokenRefused?.(installation),
    });
    clients.set(teamId, { token, client });
    return client;
  };
  return Object.assign(findClient, { apiUrl });
}

/** Returns the error for a workspace in which the app isn't installed. */
export function notInstalledError(): RackhandError {
  return new RackhandError('not_installed', 'Rackhand is not installed in this workspace.');
}
