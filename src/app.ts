import type { Logger } from 'pino';
import type { AppSettings } from './config.ts';
import { createQuota, defaultLimit, fingerprintKey } from './hosting/quota/quota.ts';
import { createTransport, defaultLimits } from './hosting/transport.ts';
import { allOperations } from './operations/all.ts';
import { createRunStore } from './operations/run-store.ts';
import { createRunner } from './operations/runner.ts';
import { createAnnouncer } from './slack/announcer.ts';
import { createSlackClients } from './slack/clients.ts';
import { createSlackLogger } from './slack/logger.ts';
import { createSlack } from './slack/slack.ts';
import { createCallJournal } from './storage/call-journal.ts';
import { openDatabase } from './storage/database.ts';
import { createVault } from './storage/vault.ts';
import { createApiKeyStore } from './workspaces/api-key-store.ts';
import { createHostingAccess } from './workspaces/hosting-access.ts';
import { createInstallationStore, type Installation } from './workspaces/installation-store.ts';
import { ownSecret } from './workspaces/own-secret.ts';

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
    callTimeoutMs: defaultLimits.callTimeoutMs + 1_000,
    journal: createCallJournal(db),
    log,
    ...(quotaWindowMs !== undefined && {
      windowMs: quotaWindowMs,
      marginMs: Math.max(10, quotaWindowMs / 240),
    }),
    ...(config.redisUrl && { redisUrl: config.redisUrl }),
  });
  const hosting = createHostingAccess({ keys, settings: config.hosting, transport, quota });

  const catalogue = allOperations();
  const runs = createRunStore(db);
  const clients = createSlackClients(installations, {
    apiUrl: config.slack.apiUrl,
    logger: createSlackLogger(log),
  });
  const announcer = createAnnouncer({ clients, runs, catalogue, log });
  const runner = createRunner({
    runs,
    catalogue,
    hostingFor: hosting,
    announce: announcer.announce,
    shared,
    log,
  });
  const slack = createSlack({
    config: config.slack,
    catalogue,
    runner,
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
      await announcer.told();
      await transport.close();
      await database.close();
    },
  };
}
