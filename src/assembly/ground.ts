import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import { createQuota } from '../hosting/quota/quota.ts';
import { createTransport } from '../hosting/transport.ts';
import { createRunStore } from '../operations/runs/run-store.ts';
import { countedQuota, countedRuns, countedTransport } from '../server/counted.ts';
import { createMetrics } from '../server/metrics.ts';
import { createCallJournal } from '../storage/call-journal.ts';
import { openDatabase } from '../storage/database.ts';
import { requireReadable } from '../storage/readable.ts';
import { createVault } from '../storage/vault.ts';
import { createApiKeyStore } from '../workspaces/api-key-store.ts';
import { createHostingAccess } from '../workspaces/hosting-access.ts';
import { createInstallationStore } from '../workspaces/installation-store.ts';

/** Added to what the transport allows a call, so that it is the transport that gives up first. */
const cutOffMarginMs = 1_000;

interface GroundOptions {
  readonly log: Logger;
  readonly quotaWindowMs?: number | undefined;
  /** Counts the connections to Slack that stand. */
  readonly connections: () => number;
}

export type Ground = Awaited<ReturnType<typeof layGround>>;

/**
 * Opens what everything stands on: the database with what is kept in it, and the way to the hosting service. Throws `setting_invalid` where the database
 * cannot be used, and `secret_unreadable` where the keys to what it holds are missing.
 */
export async function layGround(config: AppSettings, { log, quotaWindowMs, connections }: GroundOptions) {
  const database = await openDatabase(config.databaseUrl, { log });
  const { db, shared } = database;
  const vault = createVault(config.encryptionKeys);
  await requireReadable(db, vault).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const keys = createApiKeyStore(db, vault);
  const metrics = createMetrics({ connections });
  const transport = countedTransport(createTransport(), metrics);
  const ownQuota = await createQuota({
    callTimeoutMs: transport.limits.callTimeoutMs + cutOffMarginMs,
    journal: createCallJournal(db),
    log,
    ...(quotaWindowMs !== undefined && { windowMs: quotaWindowMs }),
    ...(config.redisUrl && { redisUrl: config.redisUrl }),
  });
  const quota = countedQuota(ownQuota, metrics);
  return {
    database,
    db,
    shared,
    vault,
    keys,
    installations: createInstallationStore(db, vault),
    runs: countedRuns(createRunStore(db), metrics),
    transport,
    quota,
    hosting: createHostingAccess({ keys, settings: config.hosting, transport, quota }),
    metrics,
  };
}
