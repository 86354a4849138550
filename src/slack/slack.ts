import { App, type CodedError } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Charts } from '../charts/charts.ts';
import type { AppSettings } from '../config.ts';
import { RackhandError } from '../error.ts';
import type { Catalogue } from '../operations/catalogue.ts';
import type { Access } from '../operations/runs/access.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Runner } from '../operations/runs/runner.ts';
import type { SecretKeeper } from '../operations/runs/secret-keeper.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Route } from '../server/server.ts';
import type { Connection } from '../workspaces/connection/connection.ts';
import type { Departure } from '../workspaces/departure.ts';
import type { HostingAccess } from '../workspaces/hosting-access.ts';
import type { Installation, InstallationStore } from '../workspaces/installation-store.ts';
import type { Directory } from '../workspaces/rights/directory.ts';
import type { Requests } from '../workspaces/rights/requests.ts';
import type { RightsStore } from '../workspaces/rights/rights-store.ts';
import { listenToAccess } from './access/listen.ts';
import { listenToRequests } from './access/listen-requests.ts';
import { createAccessDialogs } from './access/open.ts';
import { createAnswering } from './answering.ts';
import { createBacklog } from './backlog.ts';
import { notInstalled, type SlackClients } from './clients.ts';
import { listenToConnection } from './connect/listen.ts';
import { createConnectionDialogs } from './connect/open.ts';
import { createDispatch } from './dispatch.ts';
import { createDoor } from './door.ts';
import { createForms } from './form/forms.ts';
import { createLiveViews } from './form/live-view.ts';
import { createInstaller } from './install/installer.ts';
import { listenToDepartures } from './install/listen.ts';
import { howToInstall, isNotInstalled, tellNotInstalled } from './install/not-installed.ts';
import { listenToApprovals } from './listeners/approvals.ts';
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
import type { RunMessages } from './run-message.ts';
import { isRefusedBySlack } from './slack-error.ts';
import { createWithNames } from './with-names.ts';

interface SlackParts {
  readonly config: AppSettings['slack'];
  /** Where people reach the server, if that is known. */
  readonly publicUrl: () => string | undefined;
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runMessages: RunMessages;
  readonly runs: RunStore;
  readonly secrets: SecretKeeper;
  readonly charts: Charts;
  readonly clients: SlackClients;
  readonly hosting: HostingAccess;
  readonly installations: InstallationStore;
  readonly connection: Connection;
  readonly access: Access;
  readonly directory: Directory;
  readonly rights: RightsStore;
  readonly requests: Requests;
  readonly departure: Departure;
  /** Keeps the installation that a person has made. */
  readonly install: (installation: Installation, userId: string) => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** What Slack delivered and could not be taken, as Bolt tells of it. */
interface Undelivered {
  readonly error: CodedError;
  readonly body: object;
}

/** The app's side of Slack. */
export interface Slack {
  /** What the server answers to Slack, and to whoever installs the app. */
  readonly routes: readonly Route[];
  /** Tells how many connections of Socket Mode are open. */
  connections(): number;
  /** Whether what Slack delivers can arrive. */
  isReady(): boolean;
  start(): Promise<void>;
  /** Takes nothing more. */
  stop(): Promise<void>;
  /** Resolves when everything that was asked has been answered. */
  answered(): Promise<void>;
}

/** Creates the app's side of Slack: every way to ask, by Socket Mode or signed HTTP. */
export function createSlack(parts: SlackParts): Slack {
  const { config, catalogue, runner, runs, clients, installations, departure, install, metrics, log } = parts;
  const logger = createSlackLogger(log);
  const receivers = createReceivers(config.delivery, { apiUrl: config.apiUrl, logger, log, metrics });
  const app = new App({
    receiver: receivers,
    logger,
    clientOptions: { slackApiUrl: config.apiUrl },
    convoStore: false,
    extendedErrorHandler: true,
    async authorize({ teamId, enterpriseId, isEnterpriseInstall: isOrgWide }) {
      const installation = await installations.findFor({ teamId, enterpriseId, isOrgWide });
      if (!installation) throw notInstalled();
      const { botToken, botId, botUserId } = installation;
      return { botToken, botId, botUserId, ...(teamId !== undefined && { teamId }) };
    },
  });
  const backlog = createBacklog(log);
  const pictures = createPictures(parts.charts, clients, log);
  const views = createLiveViews(runner.forms);
  const forms = createForms(clients, views);
  const { access, directory, rights, requests } = parts;
  const dialogs = new Map([
    ...createConnectionDialogs(parts.connection, clients),
    ...createAccessDialogs({ clients, catalogue, runner, store: rights }),
  ]);
  const withNames = createWithNames(directory);
  const dispatch = createDispatch({ catalogue, runner, runs, forms, dialogs, pictures, clients, withNames });
  const door = createDoor(directory);
  const answering = createAnswering({ backlog, door, runs, log });
  const listenerParts = { ...parts, dispatch, forms, views, answering, door, access, withNames };
  listenToCommand(app, listenerParts);
  listenToMentions(app, listenerParts);
  listenToButtons(app, listenerParts);
  listenToSecrets(app, listenerParts);
  listenToApprovals(app, listenerParts);
  listenToHome(app, listenerParts);
  listenToShortcuts(app, listenerParts);
  listenToForms(app, listenerParts);
  listenToOptions(app, listenerParts);
  listenToConnection(app, listenerParts);
  listenToAccess(app, { ...listenerParts, rights: { store: rights, directory } });
  listenToRequests(app, { ...listenerParts, requests });
  listenToDepartures(app, departure);
  app.error(async ({ error, body }: Undelivered) => {
    if (!isNotInstalled(error)) return log.error({ err: error }, 'Slack delivered something that failed');
    metrics.payloadRefused('not_installed');
    await tellNotInstalled(body, howToInstall(config.oauth !== undefined, parts.publicUrl()));
  });
  const { oauth, apiUrl } = config;
  const installRoutes = oauth ? createInstaller({ oauth, apiUrl, logger, metrics, install }) : [];

  return {
    routes: [...receivers.routes, ...installRoutes],
    connections: receivers.connections,
    isReady: receivers.isReady,
    async start() {
      try {
        await receivers.start();
      } catch (error) {
        throw startError(error);
      }
    },
    stop: receivers.stop,
    answered: backlog.drained,
  };
}

/** Says what keeps Slack's payloads from coming in, in the words of the settings. */
function startError(cause: unknown): RackhandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
  const message = `Slack does not open a connection for SLACK_APP_TOKEN (${isRefusedBySlack(cause) ? cause.data.error : code}).`;
  return new RackhandError('setting_invalid', message, { cause });
}
