import type { Logger } from 'pino';
import { createReportCallCounter, createReports } from '../monitoring/reports/reports.ts';
import { createMuteOperations } from '../monitoring/shared/mutes/mute-operations.ts';
import { createMuteStore } from '../monitoring/shared/mutes/mute-store.ts';
import { createWatches } from '../monitoring/watches/watches.ts';
import type { ListVpsAliases } from '../runs/pipeline/run-environment.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';

/**
 * Creates reports and watches. Each leaves the other's calls free when it plans its own share of
 * the background lane.
 */
export function createMonitoring(
  { db, hasReplicas, jobs, hosting: hostingFor, runs }: Infrastructure,
  { reportPublisher, incidentPublisher }: Pick<SlackServices, 'reportPublisher' | 'incidentPublisher'>,
  listVpsAliases: ListVpsAliases,
  log: Logger,
) {
  const { clock } = jobs;
  const parts = { db, hostingFor, runs, listVpsAliases, clock, hasReplicas, log };
  const mutes = createMuteStore(db);
  const watches = createWatches({
    ...{ db, hostingFor, runs, listVpsAliases, jobs, log },
    publisher: incidentPublisher,
    mutes: mutes.list,
    reportCallsPerMinute: createReportCallCounter(db),
  });
  const reports = createReports({
    ...parts,
    publisher: reportPublisher,
    mutes,
    otherCallsPerMinute: watches.callsPerMinute,
  });
  const muteOperations = createMuteOperations({ store: mutes, now: clock.now });
  return {
    catalogueGroups: [
      { heading: 'Reports', operations: reports.operations },
      { heading: 'Watches', operations: [...watches.operations, ...muteOperations] },
    ],
    /** Starts scheduling reports and evaluating watches. */
    async start() {
      await reports.start();
      watches.start();
    },
    /** Resolves when the current work has ended. The next process continues what is unfinished. */
    async stop() {
      watches.stop();
      await reports.stop();
    },
    /** Deletes all data of a workspace that has uninstalled the app. */
    async handleUninstalled(teamId: string) {
      await Promise.all([
        reports.handleUninstalled(teamId),
        watches.handleUninstalled(teamId),
        mutes.deleteWorkspace(teamId),
      ]);
    },
  };
}
