import { App, type CodedError } from '@slack/bolt';
import { createMemberGuard } from '../auth/member-guard.ts';
import { RackhandError } from '../errors.ts';
import type { Route } from '../http/server.ts';
import { createMentionResolver } from './blocks/resolve-mentions.ts';
import { createChartImages } from './client/chart-images.ts';
import { notInstalledError } from './client/slack-clients.ts';
import { isSlackPlatformError } from './client/slack-errors.ts';
import { createSlackLogger } from './client/slack-logger.ts';
import { listenToAppHome } from './listeners/app-home.ts';
import { createDispatch } from './listeners/invocation/dispatch.ts';
import { createInvocationQueue } from './listeners/invocation/invocation-queue.ts';
import { defaultIgnoreClicksMs } from './listeners/invocation/on-click.ts';
import { createRunReplySender } from './listeners/invocation/run-reply-sender.ts';
import type { SlackDependencies } from './listeners/listener-dependencies.ts';
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
import { createReceivers } from './receivers/receivers.ts';

/** What Bolt passes to the error handler. */
interface UnhandledDelivery {
  readonly error: CodedError;
  readonly body: object;
}

export interface Slack {
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

/**
 * How long to wait before telling people that work is in progress. Long, because the app can't remove every notice,
 * and most answers come sooner.
 */
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
      // Leaves out the token. With a token, Bolt would keep a client per workspace that nothing here uses.
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

/** Converts a failed start to an error that names the setting that is probably wrong. */
function toStartError(cause: unknown): RackhandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
  const message = `Slack refused a connection with SLACK_APP_TOKEN (${isSlackPlatformError(cause) ? cause.data.error : code}).`;
  return new RackhandError('setting_invalid', message, { cause });
}
