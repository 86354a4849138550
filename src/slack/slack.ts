import { App } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Charts } from '../charts/charts.ts';
import type { AppSettings, SlackDelivery } from '../config.ts';
import { RackhandError } from '../error.ts';
import type { Catalogue } from '../operations/catalogue.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Runner } from '../operations/runs/runner.ts';
import type { SecretKeeper } from '../operations/runs/secret-keeper.ts';
import type { HostingAccess } from '../workspaces/hosting-access.ts';
import type { InstallationStore } from '../workspaces/installation-store.ts';
import { createAnswering } from './answering.ts';
import { createBacklog } from './backlog.ts';
import type { SlackClients } from './clients.ts';
import { createDispatch } from './dispatch.ts';
import { createForms } from './form/forms.ts';
import { listenToButtons } from './listeners/buttons.ts';
import { listenToCommand } from './listeners/command.ts';
import { listenToForms } from './listeners/form.ts';
import { listenToHome } from './listeners/home.ts';
import { listenToMentions } from './listeners/mention.ts';
import { listenToOptions } from './listeners/options.ts';
import { listenToSecrets } from './listeners/secrets.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import { createSlackLogger } from './logger.ts';
import { createPictures } from './pictures.ts';
import { createReceivers } from './receivers.ts';
import { isRefusedBySlack } from './slack-error.ts';

interface SlackParts {
  readonly config: AppSettings['slack'];
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runs: RunStore;
  readonly secrets: SecretKeeper;
  readonly charts: Charts;
  readonly clients: SlackClients;
  readonly hosting: HostingAccess;
  readonly installations: InstallationStore;
  readonly log: Logger;
}

/** The app's side of Slack. */
export interface Slack {
  start(): Promise<void>;
  /** Takes nothing more. */
  stop(): Promise<void>;
  /** Resolves when everything that was asked has been answered. */
  answered(): Promise<void>;
}

/** Creates the app's side of Slack: every way to ask, by Socket Mode or signed HTTP. */
export function createSlack(parts: SlackParts): Slack {
  const { config, catalogue, runner, clients, installations, log } = parts;
  const logger = createSlackLogger(log);
  const receivers = createReceivers(config.delivery, { apiUrl: config.apiUrl, logger });
  const app = new App({
    receiver: receivers.first,
    logger,
    clientOptions: { slackApiUrl: config.apiUrl },
    convoStore: false,
    async authorize({ teamId }) {
      const installation = teamId === undefined ? undefined : await installations.find(teamId);
      if (!installation)
        throw new RackhandError('not_installed', 'Rackhand is not installed in this workspace.');
      const { botToken, botId, botUserId } = installation;
      return { botToken, botId, botUserId, teamId: installation.teamId };
    },
  });
  receivers.attach(app);
  const backlog = createBacklog(log);
  const pictures = createPictures(parts.charts, clients, log);
  const dispatch = createDispatch({ catalogue, runner, forms: createForms(clients), pictures, clients });
  const listenerParts = { ...parts, dispatch, answering: createAnswering(backlog, log) };
  listenToCommand(app, listenerParts);
  listenToMentions(app, listenerParts);
  listenToButtons(app, listenerParts);
  listenToSecrets(app, listenerParts);
  listenToHome(app, listenerParts);
  listenToShortcuts(app, listenerParts);
  listenToForms(app, listenerParts);
  listenToOptions(app, listenerParts);
  app.error(async (error) => log.error({ err: error }, 'Slack delivered something that failed'));

  return {
    async start() {
      try {
        await receivers.start();
      } catch (error) {
        throw startError(error, config.delivery);
      }
    },
    stop: receivers.stop,
    answered: backlog.drained,
  };
}

/** Says what keeps Slack's payloads from coming in, in the words of the settings. */
function startError(cause: unknown, delivery: SlackDelivery): RackhandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
  const message =
    delivery.mode === 'http'
      ? `Slack's requests cannot be listened to on PORT ${delivery.port} (${code}).`
      : `Slack does not open a connection for SLACK_APP_TOKEN (${isRefusedBySlack(cause) ? cause.data.error : code}).`;
  return new RackhandError('setting_invalid', message, { cause });
}
