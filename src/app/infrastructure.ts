import type { Logger } from 'pino';
import { createCloseAsk } from '../asks/ask-messages.ts';
import { createAskStore } from '../asks/ask-store.ts';
import type { AppSettings } from '../config.ts';
import { assertDecryptable } from '../db/encryption/assert-decryptable.ts';
import { createVault } from '../db/encryption/vault.ts';
import { createRowReader } from '../db/row-reader.ts';
import { createServiceBreaker } from '../hosting/client/service-breaker.ts';
import { createTransport } from '../hosting/client/transport.ts';
import { createRateLimiter } from '../hosting/quota/rate-limiter.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import type { Clock } from '../jobs/clock.ts';
import { createLocalDatabaseClock, createPostgresClock } from '../jobs/database-clock.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createOutbox } from '../messages/outbox.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import { createRunNotices } from '../personal/run-notices.ts';
import { createSettingsStore } from '../personal/settings-store.ts';
import { createRunMessages } from '../runs/run-messages.ts';
import { countUnsettledRuns } from '../runs/store/count-unsettled.ts';
import { createRunStore, type RunStore } from '../runs/store/run-store.ts';
import { createApiKeyStore } from '../workspaces/api-key/api-key-store.ts';
import { createHostingClients } from '../workspaces/hosting-clients.ts';
import { createInstallationStore } from '../workspaces/installation-store.ts';
import { createPayloadMapper } from '../workspaces/service-profile/service-profile.ts';
import { createServiceProfileStore } from '../workspaces/service-profile/service-profile-store.ts';
import { createSuspensions } from '../workspaces/suspensions.ts';
import { openClaimedDatabase } from './claimed-database.ts';

/** How much longer a call can take than the transport's timeout, so the transport times out first. */
const timeoutMarginMs = 1_000;

interface InfrastructureOptions {
  readonly log: Logger;
  readonly quotaWindowMs?: number | undefined;
  /** The background jobs' clock. Defaults to the database's time. */
  readonly clock?: Clock | undefined;
  readonly machineNow?: (() => number) | undefined;
  readonly catalogue: () => Catalogue;
}

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;

/**
 * Opens the database and its stores, and creates the hosting service's clients. Throws `setting_invalid` if the
 * database can't be used, `database_claimed` if another process keeps using it for longer than a stop takes, and
 * `secret_unreadable` if ENCRYPTION_KEYS lacks a key for the stored secrets.
 */
export async function createInfrastructure(
  config: AppSettings,
  { log, quotaWindowMs, clock, machineNow, catalogue }: InfrastructureOptions,
) {
  const metrics = createMetrics();
  // The tracer is loaded only if its endpoint is set, because it costs memory and startup time.
  const stopTracing =
    config.otlpEndpoint === undefined
      ? async () => undefined
      : (await import('../tracing/otlp-tracer.ts')).startTracing(config.otlpEndpoint, log);
  const database = await openClaimedDatabase(config, metrics, log);
  const { db, hasReplicas } = database;
  const vault = createVault(config.encryptionKeys);
  await assertDecryptable(db, vault).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const keys = createApiKeyStore(db, vault);
  const databaseClock =
    hasReplicas && !clock ? createPostgresClock(machineNow) : createLocalDatabaseClock(clock);
  const jobs = createJobs({
    db,
    databaseClock,
    hasReplicas,
    events: metrics.jobs,
    log,
  });
  const serviceBreaker = createServiceBreaker();
  const transport = createTransport({}, (method, status, durationMs) => {
    metrics.callEnded(status, durationMs);
    serviceBreaker.callEnded(method, status);
  });
  const rateLimiter = createRateLimiter({
    callTimeoutMs: transport.limits.callTimeoutMs + timeoutMarginMs,
    table: { db, ...(hasReplicas && { sharedClock: databaseClock }) },
    personShare: config.quotaPersonShare,
    onSent: metrics.quotaWaited,
    now: databaseClock.clock.now,
    logger: log,
    ...(quotaWindowMs !== undefined && { windowMs: quotaWindowMs }),
  });
  metrics.measure({
    jobs: jobs.count,
    unsettledRuns: () => countUnsettledRuns(db, jobs.clock.now()),
    refusesChanges: serviceBreaker.isOpen,
    quota: rateLimiter.totals,
  });
  const serviceProfileStore = createServiceProfileStore(db);
  const suspensions = createSuspensions(db);
  const outbox = createOutbox({ db, jobs, onGivenUp: metrics.messageGivenUp, log });
  const rowReader = createRowReader(log);
  const settingsStore = createSettingsStore(db);
  const runNotices = createRunNotices({ outbox, store: settingsStore, catalogue });
  const askStore = createAskStore(db, rowReader);
  const runMessages = createRunMessages(outbox, {
    onEnded: runNotices.plan,
    closeAsk: createCloseAsk(askStore, outbox, jobs.clock.now),
  });
  return {
    database,
    db,
    rowReader,
    askStore,
    hasReplicas,
    vault,
    keys,
    installations: createInstallationStore(db, vault),
    suspensions,
    outbox,
    settingsStore,
    runNotices,
    runs: instrumentRuns(createRunStore(db, vault, runMessages), metrics),
    transport,
    serviceBreaker,
    rateLimiter,
    databaseClock,
    jobs,
    stopTracing,
    serviceProfileStore,
    hosting: createHostingClients({
      keys,
      settings: config.hosting,
      transport,
      rateLimiter,
      breaker: serviceBreaker,
      mapPayload: createPayloadMapper(serviceProfileStore, config.hosting.profile),
      assertActive: suspensions.assertActive,
    }),
    metrics,
  };
}

function instrumentRuns(runs: RunStore, metrics: Pick<Metrics, 'runEnded'>): RunStore {
  return {
    ...runs,
    async settle(settlement) {
      const isSettled = await runs.settle(settlement);
      if (isSettled) metrics.runEnded(settlement.status);
      return isSettled;
    },
    async expireOverdue(...args) {
      const expired = await runs.expireOverdue(...args);
      for (const { status } of expired) metrics.runEnded(status);
      return expired;
    },
    async expireUnsent(teamId, result, nowMs) {
      const expired = await runs.expireUnsent(teamId, result, nowMs);
      for (const { status } of expired) metrics.runEnded(status);
      return expired;
    },
  };
}
