import type { Logger } from 'pino';
import { createInfrastructure } from './app/infrastructure.ts';
import { createMonitoring } from './app/monitoring.ts';
import { createAppReadiness } from './app/readiness.ts';
import { createScheduledBackups } from './app/scheduled-backups.ts';
import { createSlackServices, type SlackServicesOptions } from './app/slack-services.ts';
import { stopWithinGrace, toStopGraceMs } from './app/stop.ts';
import { createWorkspaceServices } from './app/workspace-services.ts';
import { toCardKey } from './asks/ask-messages.ts';
import { createChannelStepCheck } from './auth/channel-steps.ts';
import type { GrantRef } from './auth/grants/grant-store.ts';
import type { AppSettings } from './config.ts';
import { defaultQuotaLimit } from './hosting/quota/rate-limiter.ts';
import { createHealthRoutes } from './http/health.ts';
import { placeMetrics } from './http/protect-metrics.ts';
import { createHttpServer } from './http/server.ts';
import type { Clock } from './jobs/clock.ts';
import { createPostOutcome } from './messages/post-outcome.ts';
import type { Actor } from './operations/define/access/actor.ts';
import { createCatalogue } from './operations/define/catalogue.ts';
import type { Catalogue } from './operations/define/operation.ts';
import { hostingOperations } from './operations/hosting-operations.ts';
import { createSettingsOperation } from './personal/settings-operation.ts';
import { toRunMessageKey } from './runs/run-messages.ts';
import { createRunner, type Runner } from './runs/runner.ts';
import { createOneTimeSecretStore } from './runs/secrets/one-time-secret-store.ts';
import { createRevealSecrets } from './runs/secrets/reveal-secrets.ts';
import { createSchedules, type Schedules } from './schedules/schedules.ts';
import { createSlackLogger } from './slack/client/slack-logger.ts';
import { createTimeZones } from './slack/client/time-zones.ts';
import { createAskKinds } from './slack/messages/ask-kinds.ts';
import { createAuditKinds } from './slack/messages/audit-kinds.ts';
import { createOutcomeKinds } from './slack/messages/outcome-kinds.ts';
import { createReportKinds } from './slack/messages/report-kinds.ts';
import { createRunKinds } from './slack/messages/run-kinds.ts';
import { createRunMessageRenderer } from './slack/messages/run-message-renderer.ts';
import { createTransport } from './slack/messages/transport.ts';
import { createTokenIssuer } from './slack/oauth/token-issuer.ts';
import { createSlack } from './slack/slack.ts';
import type { PlanWelcome } from './workspaces/api-key/welcome-messages.ts';
import { assertCanInstall } from './workspaces/install-policy.ts';
import type { Installation } from './workspaces/installation-store.ts';
import { createTokenRotation } from './workspaces/token-rotation.ts';
import { createUninstaller } from './workspaces/uninstaller.ts';
import { createUsedStates } from './workspaces/used-states.ts';

export type { GrantRef };

export interface AppOptions {
  readonly log: Logger;
  /** The quota's window. Defaults to 60 s; tests and benches shorten it. */
  readonly quotaWindowMs?: number;
  /** The server's public URL. Defaults to PUBLIC_URL; a sandbox knows its URL only once it listens. */
  readonly publicUrl?: () => string | undefined;
  /** The background jobs' clock. Defaults to the database's time; tests control their own. */
  readonly clock?: Clock;
  /** The machine's clock, which is compared with the database's. Tests simulate a wrong one. */
  readonly machineNow?: () => number;
  /** Draws the graphs, and is closed with the app. Defaults to a renderer with its own process; tests share one. */
  readonly charts?: SlackServicesOptions['charts'];
}

export interface RackhandApp {
  readonly catalogue: Catalogue;
  grant(teamId: string, grant: GrantRef): Promise<void>;
  /** Plans the message that asks a new workspace for an API key. */
  readonly planWelcome: PlanWelcome;
  /** Stores a workspace's installation, and its API key if given. Returns whether the workspace is new. */
  install(installation: Installation, apiKey?: string): Promise<boolean>;
  /** Logs and counts an error that no other code handled. */
  reportUnhandledError(error: unknown): void;
  /** Starts the app and resolves to the server's port. */
  start(): Promise<number>;
  /** Stops accepting requests, finishes the current work, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Assembles Rackhand without starting it. Throws `setting_invalid` if the database can't be used, `database_claimed`
 * if another process keeps using it for longer than a stop takes, and `secret_unreadable` if ENCRYPTION_KEYS lacks a
 * key for the stored secrets.
 */
export async function createApp(
  config: AppSettings,
  {
    log,
    quotaWindowMs,
    clock,
    machineNow,
    charts: sharedCharts,
    publicUrl = () => config.publicUrl,
  }: AppOptions,
): Promise<RackhandApp> {
  const infrastructure = await createInfrastructure(config, {
    log,
    quotaWindowMs,
    clock,
    machineNow,
    catalogue: () => catalogue,
  });
  const {
    database,
    db,
    hasReplicas,
    vault,
    installations,
    keys,
    runs,
    transport,
    serviceBreaker,
    rateLimiter,
    hosting,
    jobs,
    outbox,
    askStore,
    rowReader,
    settingsStore,
    runNotices,
    metrics,
  } = infrastructure;
  const slackServices = createSlackServices({
    apiUrl: config.slack.apiUrl,
    installations,
    onCalled: metrics.slackCalled,
    now: jobs.clock.now,
    charts: sharedCharts,
    findChannelSteps: createChannelStepCheck(
      () => workspaceServices.grantStore,
      () => catalogue,
    ),
    log,
  });
  const { clients, charts, directory } = slackServices;
  const findSlackTimeZone = createTimeZones(clients, log);
  const findTimeZone = async (actor: Actor) =>
    (await settingsStore.find(actor)).zone ?? (await findSlackTimeZone(actor));
  const workspaceServices = await createWorkspaceServices(
    infrastructure,
    slackServices,
    config,
    { runner: () => runner, handleApprovedSchedule: (ask) => schedules.handleApproved(ask) },
    log,
  );
  const { authorizer, grantStore, apiKeys, auditLog, vpsAliases, dataRetention } = workspaceServices;
  const monitoring = createMonitoring(infrastructure, slackServices, workspaceServices, findTimeZone, log);
  const postOutcome = createPostOutcome(outbox);
  const schedules: Schedules = createSchedules({
    db,
    rowReader,
    jobs,
    runs,
    hostingFor: hosting,
    listVpsAliases: vpsAliases.byVps,
    resolveAccess: authorizer.resolveAccess,
    findCreatorStanding: workspaceServices.findCreatorStanding,
    findApprovalRoute: workspaceServices.findApprovalRoute,
    isReasonRequired: workspaceServices.isReasonRequired,
    asks: workspaceServices.asks,
    listAdmins: workspaceServices.listAdmins,
    publisher: slackServices.channelPublisher,
    postOutcome,
    transact: outbox.transact,
    runner: () => runner,
    catalogue: () => catalogue,
  });
  const catalogue: Catalogue = createCatalogue(
    [
      ...hostingOperations({ vpsActions: config.hosting.vpsActions }).groups,
      { heading: 'Schedules', operations: schedules.operations },
      ...monitoring.catalogueGroups,
      { heading: 'Plans', operations: [...monitoring.planOperations, ...schedules.planOperations] },
      { heading: 'For you', operations: [createSettingsOperation(settingsStore, findTimeZone)] },
      ...workspaceServices.catalogueGroups,
    ],
    workspaceServices.askOperations,
  );

  const oneTimeSecrets = createOneTimeSecretStore(db, vault, jobs.clock.now);
  const runMessages = createRunMessageRenderer(catalogue, directory, oneTimeSecrets, askStore);
  const outboxClients = slackServices.failFastClients;
  outbox.connect({
    transport: createTransport({
      clients: outboxClients,
      kinds: {
        ...createOutcomeKinds(slackServices),
        ...createAskKinds({
          store: askStore,
          directory,
          labelVpsFor: workspaceServices.labelVpsFor,
        }),
        ...createAuditKinds(auditLog, catalogue),
        ...createReportKinds({ ...slackServices, clients: outboxClients, now: jobs.clock.now }),
        ...createRunKinds({
          ...slackServices,
          clients: outboxClients,
          runs,
          catalogue,
          runMessages,
          runNotices,
          outbox,
        }),
      },
      findConversation: outbox.findConversation,
    }),
    listAdmins: workspaceServices.listAdmins,
  });
  const uninstaller = createUninstaller({
    installations,
    keys,
    secrets: oneTimeSecrets,
    runs,
    checkToken: slackServices.checkToken,
    onUninstalled: dataRetention.handleUninstalled,
    now: jobs.clock.now,
    log,
  });
  slackServices.events.on('tokenRefused', ({ teamId }) => void uninstaller.handleTokenRejected(teamId));
  jobs.definePeriodic(dataRetention.createJob(catalogue));
  jobs.definePeriodic(
    createScheduledBackups({ databaseUrl: config.databaseUrl, settings: config.backups, log }),
  );
  const { oauth, apiUrl } = config.slack;
  if (oauth)
    jobs.definePeriodic(
      createTokenRotation({
        installations,
        issuer: createTokenIssuer(oauth, { apiUrl, logger: createSlackLogger(log) }),
        migratesTokens: oauth.migratesTokens === true,
        log,
      }),
    );
  const runner: Runner = createRunner({
    runs,
    secrets: oneTimeSecrets,
    catalogue,
    resolveAccess: authorizer.resolveAccess,
    findApprovalRoute: workspaceServices.findApprovalRoute,
    isReasonRequired: workspaceServices.isReasonRequired,
    approvals: workspaceServices.asks,
    findTimeZone,
    listVpsAliases: vpsAliases.byVps,
    hostingClientFor: hosting,
    assertServiceAnswers: serviceBreaker.assertAnswers,
    jobs,
    sharedReadMs: config.sharedReadMs,
    now: jobs.clock.now,
    hasReplicas,
    log,
  });
  /** Stores an installation from the install page, and records it in the activity log. */
  async function handleInstalled(installation: Installation, userId: string): Promise<void> {
    const { teamId, teamName } = installation;
    assertCanInstall(installation, config.allowedWorkspaces ?? []);
    const nowMs = Date.now();
    const isNew = (await installations.findFresh(teamId)) === undefined;
    await installations.save(installation, nowMs);
    if (isNew) await workspaceServices.planWelcome(installation, userId);
    await runs.addAuditEntry({
      actor: { teamId, userId },
      operation: 'install',
      target: 'Rackhand',
      status: 'done',
      outcome: { title: `Rackhand was installed in ${teamName}` },
      nowMs,
    });
  }
  const slack = createSlack({
    config: config.slack,
    publicUrl,
    catalogue,
    runner,
    runs,
    refreshRunMessage: (run) => outbox.refresh(run.actor.teamId, toRunMessageKey(run.batchId ?? run.id)),
    revealSecrets: createRevealSecrets({
      secrets: oneTimeSecrets,
      runs,
      catalogue,
      resolveAccess: authorizer.resolveAccess,
      checkApproval: workspaceServices.checkRevealApproval,
      now: jobs.clock.now,
    }),
    useState: createUsedStates(db),
    assertActive: infrastructure.suspensions.assertActive,
    charts,
    clients,
    postOutcome,
    hosting,
    installations,
    apiKeys,
    isRefusingChanges: serviceBreaker.isOpen,
    access: authorizer.resolveAccess,
    listVpsAliases: vpsAliases.byVps,
    listOpenAsks: async (teamId) =>
      Promise.all(
        (await askStore.listOpenIn(teamId, jobs.clock.now())).map(async (ask) => ({
          ask,
          channel: (await outbox.find(teamId, toCardKey(ask)))?.ref?.channel,
        })),
      ),
    loadMonitoringOverview: monitoring.loadOverview,
    listNextScheduledChanges: schedules.listNextChanges,
    directory,
    uninstall: uninstaller,
    install: handleInstalled,
    metrics,
    log,
    now: jobs.clock.now,
  });
  const readiness = createAppReadiness(infrastructure, slack, config);
  const health = createHealthRoutes(readiness, async () => ({
    jobsDeadLettered: (await jobs.count()).deadLettered,
    unreadableRuns: runner.listUnreadableRuns(),
    unreadableRows: rowReader.listUnreadable(),
    messages: await outbox.count(),
  }));
  const { onMainPort, onOwnPort } = placeMetrics(metrics.routes, config.server);
  const server = createHttpServer([...health, ...onMainPort, ...slack.routes], config.server, log);
  const { metricsPort = 0 } = config.server;
  const metricsServer =
    onOwnPort.length > 0
      ? createHttpServer(onOwnPort, { ...config.server, port: metricsPort, portSetting: 'METRICS_PORT' }, log)
      : undefined;

  return {
    catalogue,
    planWelcome: workspaceServices.planWelcome,
    async grant(teamId, { grantee, right, pattern }) {
      const grant = { grantees: [grantee], right, patterns: [pattern] };
      await grantStore.grant({ teamId, changedBy: null, nowMs: jobs.clock.now() }, grant);
    },
    async install(installation, apiKey) {
      const isNew = (await installations.findFresh(installation.teamId)) === undefined;
      await installations.save(installation, jobs.clock.now());
      // Reads the installation once, so the first delivery can be acknowledged without the database.
      await installations.find(installation.teamId);
      await infrastructure.suspensions.assertActive(installation.teamId).catch(() => undefined);
      const isIgnored =
        apiKey !== undefined &&
        !(await apiKeys.saveFromSettings(installation.teamId, { apiKey, limit: defaultQuotaLimit }));
      if (isIgnored) {
        log.warn('HOSTING_API_KEY is ignored: another key has since been connected in Slack');
      }
      return isNew;
    },
    reportUnhandledError(error) {
      metrics.unhandledError();
      log.error({ err: error }, 'an error was not handled; Rackhand keeps running');
    },
    async start() {
      const port = await server.start();
      try {
        await metricsServer?.start();
        await slack.start();
        await runner.start();
        await jobs.start();
        readiness.watch();
      } catch (error) {
        await Promise.all([server.stop(), metricsServer?.stop()]);
        throw error;
      }
      return port;
    },
    async stop() {
      readiness.stop();
      await stopWithinGrace(
        {
          async stopAccepting() {
            await Promise.all([server.stop(), metricsServer?.stop(), slack.stop()]);
          },
          jobs,
          rateLimiter,
          requests: {
            drained: slack.drained,
            async interrupt() {
              slackServices.stopCalls();
              await slack.interrupt();
            },
          },
          uninstaller,
          runner,
          close: () =>
            Promise.all([charts.close(), transport.close(), infrastructure.stopTracing()]).then(() =>
              database.close(),
            ),
          log,
        },
        toStopGraceMs(config),
      );
    },
  };
}
