import { App, type CodedError } from '@slack/bolt';
import type { Logger } from 'pino';
import type { MemberDirectory } from '../auth/member-directory.ts';
import { createMemberGuard } from '../auth/member-guard.ts';
import type { ChartRenderer } from '../charts/chart-renderer.ts';
import type { AppSettings } from '../config.ts';
import { RackhandError } from '../errors.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Route } from '../http/server.ts';
import type { PostOutcome } from '../messages/post-outcome.ts';
import type { LoadMonitoringOverview } from '../monitoring/overview/overview.ts';
import type { ResolveAccess } from '../operations/define/access/access.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import type { ListVpsAliases } from '../runs/pipeline/run-environment.ts';
import type { Run } from '../runs/run.ts';
import type { Runner } from '../runs/runner.ts';
import type { RevealSecrets } from '../runs/secrets/reveal-secrets.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { ListNextScheduledChanges } from '../schedules/schedules.ts';
import type { ApiKeyManager } from '../workspaces/api-key/api-key-manager.ts';
import type { HostingClientFor } from '../workspaces/hosting-clients.ts';
import type { Installation, InstallationStore } from '../workspaces/installation-store.ts';
import type { Uninstaller } from '../workspaces/uninstaller.ts';
import { createMentionResolver } from './blocks/resolve-mentions.ts';
import { createChartImages } from './client/chart-images.ts';
import { notInstalledError, type SlackClients } from './client/slack-clients.ts';
import { isSlackPlatformError } from './client/slack-errors.ts';
import { createSlackLogger } from './client/slack-logger.ts';
import type { ListOpenAsks } from './home/home-overview.ts';
import { listenToAppHome } from './listeners/app-home.ts';
import { createDispatch } from './listeners/invocation/dispatch.ts';
import { createInvocationQueue } from './listeners/invocation/invocation-queue.ts';
import { defaultIgnoreClicksMs } from './listeners/invocation/on-click.ts';
import { createRunReplySender } from './listeners/invocation/run-reply-sender.ts';
import { listenToMessageButtons } from './listeners/message-buttons.ts';
import { listenToApiKeyModals } from './listeners/modals/api-key-submissions.ts';
import { listenToForms } from './listeners/modals/form-submissions.ts';
import { listenToSelectOptions } from './listeners/modals/select-options.ts';
import { listenToSecretButton } from './listeners/secret-button.ts';
import { listenToShortcuts } from './listeners/shortcuts.ts';
import {
  listenToAppMentions,
  listenToDirectMessages,
  listenToSlashCommand,
} from './listeners/typed-commands.ts';
import { listenToUninstalls } from './listeners/uninstalls.ts';
import { createApiKeyModals } from './modals/api-key/api-key-views.ts';
import { createFormViews } from './modals/form/form-views.ts';
import { createForms } from './modals/form/forms.ts';
import { createInstallRoutes } from './oauth/install-routes.ts';
import { findRejectionReason, formatInstallHint, sendRejection } from './oauth/not-installed.ts';
import type { UseState } from './oauth/state-store.ts';
import { createReceivers } from './receivers/receivers.ts';

interface SlackDependencies {
  readonly config: AppSettings['slack'];
  /** The public URL of the server, if known. */
  readonly publicUrl: () => string | undefined;
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly refreshRunMessage: (run: Run) => Promise<boolean>;
  readonly runs: RunStore;
  readonly revealSecrets: RevealSecrets;
  readonly charts: ChartRenderer;
  readonly clients: SlackClients;
  readonly postOutcome: PostOutcome;
  readonly hosting: HostingClientFor;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusingChanges: () => boolean;
  readonly installations: InstallationStore;
  readonly apiKeys: ApiKeyManager;
  readonly access: ResolveAccess;
  readonly listVpsAliases: ListVpsAliases;
  readonly loadMonitoringOverview: LoadMonitoringOverview;
  readonly listOpenAsks: ListOpenAsks;
  readonly listNextScheduledChanges: ListNextScheduledChanges;
  readonly directory: MemberDirectory;
  readonly uninstall: Uninstaller;
  /** Stores an installation and records who made it. */
  readonly install: (installation: Installation, userId: string) => Promise<void>;
  /** Throws if one of these workspaces or organizations is suspended. */
  readonly assertActive: (...teamIds: readonly (string | undefined)[]) => Promise<void>;
  /** Records that an OAuth state was used. */
  readonly useState: UseState;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** The current time by the jobs' clock. */
  readonly now: () => number;
}

/** The parts of a failed delivery that Bolt passes to the error handler. */
interface UnhandledDelivery {
  readonly error: CodedError;
  readonly body: object;
}

/** The app's connection to Slack. */
export interface Slack {
  /** Routes for deliveries over HTTP and for the install pages. */
  readonly routes: readonly Route[];
  /** Returns whether deliveries from Slack can arrive. */
  isReady(): boolean;
  start(): Promise<void>;
  /** Stops accepting deliveries. */
  stop(): Promise<void>;
  /** Resolves when every accepted request has been answered. */
  drained(): Promise<void>;
  /** Tells the people whose requests weren't answered to try again. Called last. */
  interrupt(): Promise<void>;
}

/** Long, because Slack doesn't let the app remove every notice, and most answers take less. */
const defaultWorkingNoticeMs = 2_000;

/** Connects all listeners to Slack, over Socket Mode or signed HTTP. */
export function createSlack(dependencies: SlackDependencies): Slack {
  const { config, catalogue, runner, runs, clients, installations, uninstall, install, metrics, log } =
    dependencies;
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
      if (!installation) throw notInstalledError();
      await dependencies.assertActive(teamId, installation.teamId, enterpriseId);
      const { botId, botUserId } = installation;
      // Without the token: Bolt would keep a client for each workspace, which nothing here uses.
      return { botId, botUserId, ...(teamId !== undefined && { teamId }) };
    },
  });
  const chartImages = createChartImages(dependencies.charts, clients, log);
  const formViews = createFormViews(runner.formQueries);
  const forms = createForms(clients, formViews);
  const { access, directory } = dependencies;
  const modals = createApiKeyModals(dependencies.apiKeys, clients);
  const resolveMentions = createMentionResolver(directory);
  const { workingNoticeMs = defaultWorkingNoticeMs, ignoreClicksMs = defaultIgnoreClicksMs } = config;
  const dispatch = createDispatch({
    catalogue,
    runner,
    runs,
    forms,
    modals,
    clients,
    sendRunReply: createRunReplySender({ chartImages, resolveMentions }),
    workingNoticeMs,
    now: dependencies.now,
  });
  const memberGuard = createMemberGuard(directory);
  const invocationQueue = createInvocationQueue({
    memberGuard,
    runs,
    postOutcome: dependencies.postOutcome,
    log,
    now: dependencies.now,
  });
  const listenerParts = {
    ...dependencies,
    dispatch,
    forms,
    formViews,
    invocationQueue,
    memberGuard,
    access,
    resolveMentions,
    workingNoticeMs,
    ignoreClicksMs,
  };
  listenToSlashCommand(app, listenerParts);
  listenToAppMentions(app, listenerParts);
  listenToDirectMessages(app, listenerParts);
  listenToMessageButtons(app, listenerParts);
  listenToSecretButton(app, listenerParts);
  listenToAppHome(app, listenerParts);
  listenToShortcuts(app, listenerParts);
  listenToForms(app, listenerParts);
  listenToSelectOptions(app, listenerParts);
  listenToApiKeyModals(app, listenerParts);
  listenToUninstalls(app, uninstall);
  app.error(async ({ error, body }: UnhandledDelivery) => {
    const reason = findRejectionReason(error);
    if (reason === undefined) return log.error({ err: error }, 'a delivery from Slack failed');
    if (reason === 'database_unreachable')
      log.error({ err: error.original }, 'a delivery from Slack was rejected');
    else metrics.requestRejected(reason);
    const hint = formatInstallHint(config.oauth !== undefined, dependencies.publicUrl());
    await sendRejection(body, reason, hint, config.apiUrl);
  });
  const { oauth, apiUrl } = config;
  const installRoutes = oauth
    ? createInstallRoutes({ oauth, apiUrl, logger, metrics, install, useState: dependencies.useState })
    : [];

  return {
    routes: [...receivers.routes, ...installRoutes],
    isReady: receivers.isReady,
    async start() {
      try {
        await receivers.start();
      } catch (error) {
        throw toStartError(error);
      }
    },
    stop: receivers.stop,
    drained: invocationQueue.drained,
    interrupt: invocationQueue.interrupt,
  };
}

/**
 * Returns the error for a failed connection. Its message names the setting that is probably wrong.
 */
function toStartError(cause: unknown): RackhandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
  const message = `Slack refused a connection with SLACK_APP_TOKEN (${isSlackPlatformError(cause) ? cause.data.error : code}).`;
  return new RackhandError('setting_invalid', message, { cause });
}
