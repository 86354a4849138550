import type { Logger } from '@slack/bolt';
import { webApi } from '@slack/bolt';
import { RackhandError } from '../error.ts';
import { type Installation, type InstallationStore, isOrgWide } from '../workspaces/installation-store.ts';
import { isTokenRefused } from './slack-error.ts';

export type SlackClient = webApi.WebClient;

/** Gives the Web API client of a workspace, outside of what Slack has just delivered. */
export type SlackClients = (teamId: string) => Promise<SlackClient>;

/** Longest that Slack may take for one answer. */
export const slackTimeoutMs = 10_000;

/** Somebody waits for it: once more, at once. */
export const whileSomebodyWaits = { retries: 1, minTimeout: 500 };

/** Nobody waits, but somebody has to learn of it: for about five minutes. */
export const untilToldOf = webApi.retryPolicies.fiveRetriesInFiveMinutes;

interface SlackClientOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly retryConfig: webApi.RetryOptions;
  /** Has a call fail where Slack wants a pause, instead of making every call of the workspace wait. */
  readonly rejectRateLimitedCalls?: boolean;
  /** Told where Slack refuses the token of an installation; not waited for. */
  readonly onTokenRefused?: (installation: Installation) => void;
}

/** A client that says when its token is refused, whichever method met that. */
class WatchedClient extends webApi.WebClient {
  readonly #onTokenRefused: () => void;

  constructor(token: string, options: webApi.WebClientOptions, onTokenRefused: () => void) {
    super(token, options);
    this.#onTokenRefused = onTokenRefused;
  }

  override async apiCall(...call: Parameters<webApi.WebClient['apiCall']>) {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      if (isTokenRefused(error)) this.#onTokenRefused();
      throw error;
    }
  }
}

/**
 * Creates the clients of the workspaces, each with the token of its installation. Slack's 429 pauses a client as a whole, so what
 * people wait for and what tells of runs have clients of their own.
 */
export function createSlackClients(
  installations: Pick<InstallationStore, 'find'>,
  { apiUrl, logger, retryConfig, rejectRateLimitedCalls = false, onTokenRefused }: SlackClientOptions,
): SlackClients {
  const clients = new Map<string, { token: string; client: SlackClient }>();

  return async (teamId) => {
    const installation = await installations.find(teamId);
    if (!installation) {
      clients.delete(teamId);
      throw notInstalled();
    }
    const { botToken: token } = installation;
    const kept = clients.get(teamId);
    if (kept?.token === token) return kept.client;
    const options = {
      slackApiUrl: apiUrl,
      logger,
      retryConfig,
      rejectRateLimitedCalls,
      timeout: slackTimeoutMs,
      // The token of an organisation works in many workspaces, so every call has to say in which.
      ...(isOrgWide(installation) && { teamId }),
    };
    const client = new WatchedClient(token, options, () => onTokenRefused?.(installation));
    clients.set(teamId, { token, client });
    return client;
  };
}

/** Says that the app is not in a workspace. */
export function notInstalled(): RackhandError {
  return new RackhandError('not_installed', 'Rackhand is not installed in this workspace.');
}
