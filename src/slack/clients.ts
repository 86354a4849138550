import type { Logger } from '@slack/bolt';
import { webApi } from '@slack/bolt';
import { RackhandError } from '../error.ts';
import type { InstallationStore } from '../workspaces/installation-store.ts';

export type SlackClient = webApi.WebClient;

/** Gives the Web API client of a workspace, outside of what Slack has just delivered. */
export type SlackClients = (teamId: string) => Promise<SlackClient>;

/** Creates the clients of the workspaces, each with the token of its installation. */
export function createSlackClients(
  installations: InstallationStore,
  { apiUrl, logger }: { apiUrl: string; logger: Logger },
): SlackClients {
  const clients = new Map<string, { token: string; client: SlackClient }>();

  return async (teamId) => {
    const installation = await installations.find(teamId);
    if (!installation)
      throw new RackhandError('not_installed', 'Rackhand is not installed in this workspace.');
    const { botToken: token } = installation;
    const kept = clients.get(teamId);
    if (kept?.token === token) return kept.client;
    const client = new webApi.WebClient(token, { slackApiUrl: apiUrl, logger });
    clients.set(teamId, { token, client });
    return client;
  };
}
