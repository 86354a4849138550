import type { Logger } from '@slack/bolt';
import { webApi } from '@slack/bolt';
import { RackhandError } from '../error.ts';
import type { InstallationStore } from '../workspaces/installation-store.ts';

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
}

/**
 * Creates the clients of the workspaces, each with the token of its installation. Slack's 429 pauses a client as a whole, so what
 * people wait for and what tells of runs have clients of their own.
 */
export function createSlackClients(
  installations: InstallationStore,
  { apiUrl, logger, retryConfig }: SlackClientOptions,
): SlackClients {
  const clients = new Map<string, { token: string; client: SlackClient }>();

  return async (teamId) => {
    const installation = await installations.find(teamId);
    if (!installation)
      throw new RackhandError('not_installed', 'Rackhand is not installed in this workspace.');
    const { botToken: token } = installation;
    const kept = clients.get(teamId);
    if (kept?.token === token) return kept.client;
    const client = new webApi.WebClient(token, {
      slackApiUrl: apiUrl,
      logger,
      retryConfig,
      timeout: slackTimeoutMs,
    });
    clients.set(teamId, { token, client });
    return client;
  };
}
