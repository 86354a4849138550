import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createCharts } from './charts/charts.ts';
import type { AppSettings } from './config.ts';
import { createQuota, defaultLimit, fingerprintKey } from './hosting/quota/quota.ts';
import { createTransport } from './hosting/transport.ts';
import { allOperations } from './operations/all.ts';
import { createCatalogue } from './operations/catalogue.ts';
import { createFollowingStore } from './operations/runs/following-store.ts';
import { createRunStore } from './operations/runs/run-store.ts';
import { createRunner } from './operations/runs/runner.ts';
import { createMuteStore } from './reports/mutes/mute-store.ts';
import { createMuteOperations } from './reports/mutes/operations.ts';
import { createReports } from './reports/reports.ts';
import { type Clock, createSystemClock } from './reports/schedule/clock.ts';
import { countedQuota, countedRuns, countedTransport } from './server/counted.ts';
import { healthRoutes } from './server/health.ts';
import { createMetrics } from './server/metrics.ts';
import { createHttpServer } from './server/server.ts';
import { createRequestDesk } from './slack/access/request-desk.ts';
import { createAnnouncer } from './slack/announcer.ts';
import { createApprovalDesk } from './slack/approvals/desk.ts';
import { createSlackClients, untilToldOf, whileSomebodyWaits } from './slack/clients.ts';
import { createSlackLogger } from './slack/logger.ts';
import { createPictures } from './slack/pictures.ts';
import { createHandOver } from './slack/record/hand-over.ts';
import { createRecordVoice } from './slack/record/voice.ts';
import { createRemind } from './slack/remind.ts';
import { createReportVoice } from './slack/reports/voice.ts';
import { createSlack } from './slack/slack.ts';
import { createDirectory } from './slack/standing.ts';
import { createTimeZones } from './slack/time-zones.ts';
import { createTokenStates } from './slack/token-state.ts';
import { createWatchVoice } from './slack/watches/voice.ts';
import { createCallJournal } from './storage/call-journal.ts';
import { isReachable, openDatabase } from './storage/database.ts';
import { requireReadable } from './storage/readable.ts';
import { createVault } from './storage/vault.ts';
import { createWatches, type Watches } from './watches/watches.ts';
import { createApiKeyStore } from './workspaces/api-key-store.ts';
import { createApprovalOperations } from './workspaces/approvals/operations.ts';
import { createApprovalRuleStore, createApprovalRules } from './workspaces/approvals/rules.ts';
import { createConnection } from './workspaces/connection/connection.ts';
import { createKeyTrial } from './workspaces/connection/key-trial.ts';
import { createConnectionOperations } from './workspaces/connection/operations.ts';
import { createKeyReminders } from './workspaces/connection/reminders.ts';
import { createDeparture } from './workspaces/departure.ts';
import { createHostingAccess } from './workspaces/hosting-access.ts';
import { createInstallationStore, type Installation } from './workspaces/installation-store.ts';
import { ownSecret } from './workspaces/own-secret.ts';
import { createRecord } from './workspaces/record/record.ts';
import { createRightsOperations } from './workspaces/rights/operations.ts';
import { createRequestStore } from './workspaces/rights/request-store.ts';
import { createRequests } from './workspaces/rights/requests.ts';
import { createRights } from './workspaces/rights/rights.ts';
import { createRightsStore, type Granted } from './workspaces/rights/rights-store.ts';
import { createShownOnce } from './workspaces/shown-once.ts';

export type { Granted };

/** How long a stop waits for Slack to take the last news; what it has not taken stands in the record. */
const tellBeforeStopMs = 10_000;

/** Added to what the transport allows a call, so that it is the transport that gives up first. */
const cutOffMarginMs = 1_000;

export interface AppOptions {
  readonly log: Logger;
  /** Length of the window that a key's quota counts in. Default 60 s; tests and benches shorten it. */
  readonly quotaWindowMs?: number;
  /** By which reports come. Default the machine's; tests bring one that they move by hand. */
  readonly clock?: Clock;
}

/** Rackhand, assembled and not yet started. */
export interface RackhandApp {
  /** Grants a right that comes with the installation. */
  grant(teamId: string, given: Granted): Promise<void>;
  /** Keeps the installation of a workspace, and its API key where there is one. */
  install(installation: Installation, apiKey?: string): Promise<void>;
  /** Starts, and gives the port that its server listens on. */
  start(): Promise<number>;
  /** Takes nothing more, lets what is under way come to its end, and closes everything. */
  stop(): Promise<void>;
}

/** Assembles Rackhand. Throws `setting_invalid` where the database cannot be used, and `secret_unreadable` where the keys to what it holds are missing. */
export async function createApp(
  config: AppSettings,
  { log, quotaWindowMs, clock = createSystemClock() }: AppOptions,
): Promise<RackhandApp> {
  const database = await openDatabase(config.databaseUrl, { log });
  const { db, shared } = database;
  const vault = createVault(config.encryptionKeys);
  await requireReadable(db, vault).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const installations = createInstallationStore(db, vault);
  const keys = createApiKeyStore(db, vault);
  const fingerprintSecret = await ownSecret(db, vault, 'key-fingerprint');

  const metrics = createMetrics({ connections: () => slack.connections() });
  const transport = countedTransport(createTransport(), metrics);
  const ownQuota = await createQuota({
    callTimeoutMs: transport.limits.callTimeoutMs + cutOffMarginMs,
    journal: createCallJournal(db),
    log,
    ...(quotaWindowMs !== undefined && { windowMs: quotaWindowMs }),
    ...(config.redisUrl && { redisUrl: config.redisUrl }),
  });
  const quota = countedQuota(ownQuota, metrics);
  const hosting = createHostingAccess({ keys, settings: config.hosting, transport, quota });

  const charts = createCharts();
  const runs = countedRuns(createRunStore(db), metrics);
  const slackSide = {
    apiUrl: config.slack.apiUrl,
    logger: createSlackLogger(log),
    onTokenRefused: ({ teamId }: Installation) => void departure.refused(teamId),
  };
  const clients = createSlackClients(installations, { ...slackSide, retryConfig: whileSomebodyWaits });
  const directory = createDirectory(clients, log);
  const rightsStore = createRightsStore(db);
  const rights = createRights({ store: rightsStore, directory });
  const { access } = rights;
  const requests = createRequests({
    store: createRequestStore(db),
    rights,
    desk: createRequestDesk(clients, log),
    runs,
  });
  const connection = createConnection({
    keys,
    installations,
    runs,
    access,
    tryKey: createKeyTrial({ settings: config.hosting, transport, quota, now: Date.now }),
    fingerprint: (apiKey) => fingerprintKey(fingerprintSecret, apiKey),
  });
  const quietClients = createSlackClients(installations, {
    ...slackSide,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  const record = createRecord({
    db,
    runs,
    voice: createRecordVoice(quietClients, log),
    handOver: createHandOver(clients),
    nameOf: directory.nameOf,
    retentionDays: config.recordRetentionDays,
    log,
  });
  const reportVoice = createReportVoice({
    clients: quietClients,
    patientClients: createSlackClients(installations, { ...slackSide, retryConfig: untilToldOf }),
    pictures: createPictures(charts, clients, log),
  });
  const inBackground = { db, hostingFor: hosting, runs, clock, shared, log };
  const mutes = createMuteStore(db);
  const reports = createReports({
    ...inBackground,
    voice: reportVoice,
    mutes,
    // Each leaves the other its part of the lane.
    othersPerMinute: (teamId) => watches.callsPerMinute(teamId),
  });
  const watches: Watches = createWatches({
    ...inBackground,
    voice: createWatchVoice({ clients: quietClients, reportVoice }),
    reportsPerMinute: reports.callsPerMinute,
    mutes: mutes.list,
  });
  const approvalRules = createApprovalRuleStore(db);
  const catalogue = createCatalogue([
    ...allOperations({ vpsActions: config.hosting.vpsActions }).groups,
    { heading: 'Reports', operations: reports.operations },
    {
      heading: 'Watches',
      operations: [...watches.operations, ...createMuteOperations({ store: mutes, now: clock.now })],
    },
    { heading: 'Team', operations: [...createConnectionOperations(connection), ...record.operations] },
    {
      heading: 'Rights',
      operations: [...createRightsOperations({ store: rightsStore, rights, directory }), requests.operation],
    },
    { heading: 'Approvals', operations: createApprovalOperations({ store: approvalRules, now: Date.now }) },
  ]);
  const secrets = createShownOnce(db, vault);
  const announcerClients = createSlackClients(installations, { ...slackSide, retryConfig: untilToldOf });
  const announcer = createAnnouncer({ clients: announcerClients, runs, catalogue, log });
  const departure = createDeparture({
    installations,
    keys,
    secrets,
    runs,
    announce: announcer.announce,
    stateOf: createTokenStates(slackSide),
    onDeparted: [record.departed, reports.departed, watches.departed, mutes.forgetAllOf],
    log,
  });
  const runner = createRunner({
    runs,
    followed: createFollowingStore(db),
    secrets,
    catalogue,
    access,
    approvalRules: createApprovalRules(approvalRules),
    approvalDesk: createApprovalDesk({ clients, catalogue, whoMay: rights.peopleWith }),
    timeZoneOf: createTimeZones(clients, log),
    hostingFor: hosting,
    announce: announcer.announce,
    shared,
    log,
  });
  const administratorsOf = (teamId: string) => rights.peopleWith(teamId, { right: 'administer', vps: [] });
  const reminders = createKeyReminders({
    keys,
    remind: createRemind(clients, administratorsOf),
    log,
  });
  const slack = createSlack({
    config: config.slack,
    catalogue,
    runner,
    runs,
    secrets,
    charts,
    clients,
    hosting,
    installations,
    connection,
    access,
    directory,
    rights: rightsStore,
    requests,
    departure,
    async install(installation, userId) {
      const nowMs = Date.now();
      await installations.save(installation, nowMs);
      await runs.record({
        asker: { teamId: installation.teamId, userId },
        operation: 'install',
        target: 'Rackhand',
        status: 'done',
        outcome: { title: `Rackhand was installed in ${installation.teamName}` },
        nowMs,
      });
    },
    metrics,
    log,
  });
  const health = healthRoutes({ database: () => isReachable(db), slack: slack.isReady });
  const server = createHttpServer([...health, ...metrics.routes, ...slack.routes], config.server, log);

  return {
    async grant(teamId, { grantee, right, pattern }) {
      const given = { grantees: [grantee], right, patterns: [pattern] };
      await rightsStore.grant({ teamId, by: null, nowMs: Date.now() }, given);
    },
    async install(installation, apiKey) {
      await installations.save(installation, Date.now());
      if (!apiKey) return;
      if (!(await connection.provide(installation.teamId, { apiKey, limit: defaultLimit }))) {
        log.warn('HOSTING_API_KEY is not used: somebody has connected another key in Slack since');
      }
    },
    async start() {
      const port = await server.start();
      try {
        await slack.start();
        await runner.start();
        await reports.start();
        await watches.start();
      } catch (error) {
        await server.stop();
        throw error;
      }
      reminders.start();
      record.start(catalogue);
      return port;
    },
    async stop() {
      await Promise.all([server.stop(), slack.stop()]);
      const reported = Promise.all([reports.stop(), watches.stop()]);
      await Promise.all([reminders.stop(), record.stop()]);
      // What waits for a slot is turned away; what is queued stays so, for the next process.
      await quota.close();
      await reported;
      await slack.answered();
      await departure.ended();
      await runner.stop();
      await Promise.race([announcer.told(), delay(tellBeforeStopMs, undefined, { ref: false })]);
      await charts.close();
      await transport.close();
      await database.close();
    },
  };
}
