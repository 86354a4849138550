import type { Logger } from 'pino';
import { createPostOutcome } from '../messages/post-outcome.ts';
import { createRecentActs, createSilenceLoader } from '../monitoring/maintenance/load-silence.ts';
import { createMaintenanceJob } from '../monitoring/maintenance/maintenance-job.ts';
import { createMaintenanceOperations } from '../monitoring/maintenance/maintenance-operations.ts';
import { createMaintenanceStore } from '../monitoring/maintenance/maintenance-store.ts';
import { createMonitoringOverview } from '../monitoring/overview/overview.ts';
import { createReportStore } from '../monitoring/reports/report.ts';
import { createReports } from '../monitoring/reports/reports.ts';
import { createBaselineStore } from '../monitoring/reports/summary/baseline.ts';
import { type ChannelRef, createTellChannels } from '../monitoring/shared/channel-publisher.ts';
import { createWatchStore } from '../monitoring/watches/watch-store.ts';
import { createWatches } from '../monitoring/watches/watches.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { createPlanPurge } from '../plans/plan-purge.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';
import type { createWorkspaceServices } from './workspace-services.ts';

export function createMonitoring(
  { db, rowReader, jobs, outbox, hosting: hostingFor, runs, suspensions }: Infrastructure,
  {
    channelPublisher,
    uploadChart,
    findPermalink,
    directory,
  }: Pick<SlackServices, 'channelPublisher' | 'uploadChart' | 'findPermalink' | 'directory'>,
  {
    authorizer,
    vpsAliases,
    findCreatorStanding,
    listAdmins,
  }: Pick<
    Awaited<ReturnType<typeof createWorkspaceServices>>,
    'authorizer' | 'vpsAliases' | 'findCreatorStanding' | 'listAdmins'
  >,
  findTimeZone: (actor: Actor) => Promise<string>,
  log: Logger,
) {
  const { clock } = jobs;
  const listVpsAliases = vpsAliases.byVps;
  const parts = {
    db,
    hostingFor,
    runs,
    directory,
    findCreatorStanding,
    listVpsAliases,
    listAdmins,
    jobs,
    rowReader,
    log,
  };
  jobs.definePeriodic(createPlanPurge(db));
  const postOutcome = createPostOutcome(outbox);
  const maintenanceStore = createMaintenanceStore(db, {
    rowReader,
    queue: {
      schedule: ({ id, teamId }, transaction) =>
        maintenanceQueue.ensure({ id, teamId, payload: {} }, transaction),
      wake: () => maintenanceQueue.wake(),
    },
  });
  const listRecentActs = createRecentActs(db);
  const loadSilence = createSilenceLoader({ store: maintenanceStore, listRecentActs });
  const tellChannels = createTellChannels(postOutcome);
  const watches = createWatches({
    ...parts,
    resolveAccess: authorizer.resolveAccess,
    isActive: suspensions.isActive,
    publisher: channelPublisher,
    outbox,
    uploadChart,
    findPermalink,
    findTimeZone,
    tellChannels,
    loadSilence,
    listRecentActs,
  });
  const reports = createReports({
    ...parts,
    publisher: channelPublisher,
    uploadChart,
    outbox,
    otherCallsPerMinute: watches.callsPerMinute,
    listAlerts: watches.listAlerts,
    loadSilence,
  });
  const announce = (channelRef: ChannelRef, outcome: Outcome) =>
    channelPublisher.announce(channelRef, outcome);
  const maintenanceQueue = jobs.define(
    createMaintenanceJob({
      store: maintenanceStore,
      loadSilence,
      listWatchedVps: watches.listWatchedVps,
      listWatchChannels: watches.listWatchChannels,
      postOutcome,
      transact: outbox.transact,
      runs,
      listAdmins,
      clock,
      labelVpsFor: watches.labelVpsFor,
    }),
  );
  const maintenance = createMaintenanceOperations({
    store: maintenanceStore,
    announce,
    tellChannels,
    listWatchChannels: watches.listWatchChannels,
    now: clock.now,
  });
  return {
    catalogueGroups: [
      { heading: 'Reports', operations: reports.operations },
      { heading: 'Watches', operations: watches.operations },
      { heading: 'Maintenance', operations: maintenance.operations },
    ],
    /** Operations shared by reports, watches and maintenance windows. */
    planOperations: [reports, watches, maintenance].flatMap(({ planOperations }) => planOperations),
    loadOverview: createMonitoringOverview({
      watches: createWatchStore(db, rowReader),
      reports: createReportStore(db, { rowReader }),
      maintenance: maintenanceStore,
      baselines: createBaselineStore(db),
      loadSilence,
      now: clock.now,
    }),
  };
}
