import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { layGround } from './assembly/ground.ts';
import { createMonitoring } from './assembly/monitoring.ts';
import { createSpeakers } from './assembly/speakers.ts';
import { createTeam } from './assembly/team.ts';
import type { AppSettings } from './config.ts';
import { defaultLimit } from './hosting/quota/quota.ts';
import { allOperations } from './operations/all.ts';
import { type Catalogue, createCatalogue } from './operations/catalogue.ts';
import { createFollowingStore } from './operations/runs/following-store.ts';
import { createRunner } from './operations/runs/runner.ts';
import { type Clock, createSystemClock } from './reports/schedule/clock.ts';
import { healthRoutes } from './server/health.ts';
import { createHttpServer } from './server/server.ts';
import { createAnnouncer } from './slack/announcer.ts';
import { createApprovalDesk } from './slack/approvals/desk.ts';
import { createRunMessages } from './slack/run-message.ts';
import { createSlack } from './slack/slack.ts';
import { createTimeZones } from './slack/time-zones.ts';
import { isReachable } from './storage/database.ts';
import { createDeparture } from './workspaces/departure.ts';
import type { Installation } from './workspaces/installation-store.ts';
import type { Granted } from './workspaces/rights/rights-store.ts';
import { createShownOnce } from './workspaces/shown-once.ts';

export type { Granted };

/** How long a stop waits for Slack to take the last news; what it has not taken stands in the record. */
const tellBeforeStopMs = 10_000;

export interface AppOptions {
  readonly log: Logger;
  /** Length of the window that a key's quota counts in. Default 60 s; tests and benches shorten it. */
  readonly quotaWindowMs?: number;
  /** Tells where people reach the server. Default what the settings say; a sandbox knows it once it listens. */
  readonly publicUrl?: () => string | undefined;
  /** By which reports come. Default the machine's; tests bring one that they move by hand. */
  readonly clock?: Clock;
}

/** Rackhand, assembled and not yet started. */
export interface RackhandApp {
  /** Everything that a person can do. */
  readonly catalogue: Catalogue;
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
  { log, quotaWindowMs, clock = createSystemClock(), publicUrl = () => config.publicUrl }: AppOptions,
): Promise<RackhandApp> {
  const ground = await layGround(config, { log, quotaWindowMs, connections: () => slack.connections() });
  const { database, db, shared, vault, installations, keys, runs, transport, quota, hosting, metrics } =
    ground;
  const speakers = createSpeakers({
    apiUrl: config.slack.apiUrl,
    installations,
    onTokenRefused: ({ teamId }) => void departure.refused(teamId),
    log,
  });
  const { clients, charts, directory } = speakers;
  const team = await createTeam(ground, speakers, config, log);
  const { rights, requests, connection, record } = team;
  const monitoring = createMonitoring(ground, speakers, { clock, log });
  const catalogue = createCatalogue([
    ...allOperations({ vpsActions: config.hosting.vpsActions }).groups,
    ...monitoring.groups,
    ...team.groups,
  ]);

  const secrets = createShownOnce(db, vault);
  const runMessages = createRunMessages(catalogue, directory);
  const announcer = createAnnouncer({
    clients: speakers.announcerClients,
    runs,
    catalogue,
    runMessages,
    log,
  });
  const departure = createDeparture({
    installations,
    keys,
    secrets,
    runs,
    announce: announcer.announce,
    stateOf: speakers.tokenStates,
    onDeparted: [record.departed, monitoring.departed],
    log,
  });
  const runner = createRunner({
    runs,
    followed: createFollowingStore(db),
    secrets,
    catalogue,
    access: rights.access,
    approvalRules: team.approvalRules,
    approvalDesk: createApprovalDesk({
      clients,
      catalogue,
      whoMay: rights.peopleWith,
      runMessages,
    }),
    timeZoneOf: createTimeZones(clients, log),
    hostingFor: hosting,
    announce: announcer.announce,
    shared,
    log,
  });
  const slack = createSlack({
    config: config.slack,
    publicUrl,
    catalogue,
    runner,
    runMessages,
    runs,
    secrets,
    charts,
    clients,
    hosting,
    installations,
    connection,
    access: rights.access,
    directory,
    rights: team.rightsStore,
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
    catalogue,
    async grant(teamId, { grantee, right, pattern }) {
      const given = { grantees: [grantee], right, patterns: [pattern] };
      await team.rightsStore.grant({ teamId, by: null, nowMs: Date.now() }, given);
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
        await monitoring.start();
      } catch (error) {
        await server.stop();
        throw error;
      }
      team.reminders.start();
      record.start(catalogue);
      return port;
    },
    async stop() {
      await Promise.all([server.stop(), slack.stop()]);
      const looked = monitoring.stop();
      await Promise.all([team.reminders.stop(), record.stop()]);
      // What waits for a slot is turned away; what is queued stays so, for the next process.
      await quota.close();
      await looked;
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
