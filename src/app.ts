import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createCharts } from './charts/charts.ts';
import type { AppSettings } from './config.ts';
import { createQuota, defaultLimit, fingerprintKey } from './hosting/quota/quota.ts';
import { createTransport } from './hosting/transport.ts';
import { allOperations } from './operations/all.ts';
import { createFollowingStore } from './operations/runs/following-store.ts';
import { createRunStore } from './operations/runs/run-store.ts';
import { createRunner } from './operations/runs/runner.ts';
import { createAnnouncer } from './slack/announcer.ts';
import { createSlackClients, untilToldOf, whileSomebodyWaits } from './slack/clients.ts';
import { createSlackLogger } from './slack/logger.ts';
import { createSlack } from './slack/slack.ts';
import { createTimeZones } from './slack/time-zones.ts';
import { createCallJournal } from './storage/call-journal.ts';
import { openDatabase } from './storage/database.ts';
import { createVault } from './storage/vault.ts';
import { createApiKeyStore } from './workspaces/api-key-store.ts';
import { createHostingAccess } from './workspaces/hosting-access.ts';
import { createInstallationStore, type Installation } from './workspaces/installation-store.ts';
import { ownSecret } from './workspaces/own-secret.ts';
import { createShownOnce } from './workspaces/shown-once.ts';

/** How long a stop waits for Slack to take the last news; what it has not taken stands in the record. */
const tellBeforeStopMs = 10_000;

/** Added to what the transport allows a call, so that it is the transport that gives up first. */
const cutOffMarginMs = 1_000;

export interface AppOptions {
  readonly log: Logger;
  /** Length of the window that a key's quota counts in. Default 60 s; tests and benches shorten it. */
  readonly quotaWindowMs?: number;
}

/** Rackhand, assembled and not yet started. */
export interface RackhandApp {
  /** Keeps the installation of a workspace, and its API key where there is one. */
  install(installation: Installation, apiKey?: string): Promise<void>;
  start(): Promise<void>;
  /** Takes nothing more, lets what is under way come to its end, and closes everything. */
  stop(): Promise<void>;
}

/** Assembles Rackhand. Throws `setting_invalid` where the database cannot be used. */
export async function createApp(
  config: AppSettings,
  { log, quotaWindowMs }: AppOptions,
): Promise<RackhandApp> {
  const database = await openDatabase(config.databaseUrl, { log });
  const { db, shared } = database;
  const vault = createVault(config.encryptionKeys);
  const installations = createInstallationStore(db, vault);
  const keys = createApiKeyStore(db, vault);
  const fingerprintSecret = await ownSecret(db, vault, 'key-fingerprint');

  const transport = createTransport();
  const quota = await createQuota({
    callTimeoutMs: transport.limits.callTimeoutMs + cutOffMarginMs,
    journal: createCallJournal(db),
    log,
    ...(quotaWindowMs !== undefined && { windowMs: quotaWindowMs }),
    ...(config.redisUrl && { redisUrl: config.redisUrl }),
  });
  const hosting = createHostingAccess({ keys, settings: config.hosting, transport, quota });

  const charts = createCharts();
  const catalogue = allOperations({ vpsActions: config.hosting.vpsActions });
  const runs = createRunStore(db);
  const secrets = createShownOnce(db, vault);
  const slackSide = { apiUrl: config.slack.apiUrl, logger: createSlackLogger(log) };
  const clients = createSlackClients(installations, { ...slackSide, retryConfig: whileSomebodyWaits });
  const announcerClients = createSlackClients(installations, { ...slackSide, retryConfig: untilToldOf });
  const announcer = createAnnouncer({ clients: announcerClients, runs, catalogue, log });
  const runner = createRunner({
    runs,
    followed: createFollowingStore(db),
    secrets,
    catalogue,
    access: async () => undefined,
    timeZoneOf: createTimeZones(clients, log),
    hostingFor: hosting,
    announce: announcer.announce,
    shared,
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
    log,
  });

  return {
    async install(installation, apiKey) {
      await installations.save(installation, Date.now());
      if (!apiKey) return;
      const fingerprint = fingerprintKey(fingerprintSecret, apiKey);
      await keys.save(installation.teamId, { apiKey, fingerprint, limit: defaultLimit }, Date.now());
    },
    async start() {
      await slack.start();
      await runner.start();
    },
    async stop() {
      await slack.stop();
      // What waits for a slot is turned away; what is queued stays so, for the next process.
      await quota.close();
      await slack.answered();
      await runner.stop();
      await Promise.race([announcer.told(), delay(tellBeforeStopMs, undefined, { ref: false })]);
      await charts.close();
      await transport.close();
      await database.close();
    },
  };
}
