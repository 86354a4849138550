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
  {
    reportPublisher,
    incidentPublisher,
    directory,
  }: Pick<SlackServices, 'reportPublisher' | 'incidentPublisher' | 'directory'>,
  listVpsAliases: ListVpsAliases,
  log: Logger,
) {
  const { clock } = jobs;
  const parts = { db, hostingFor, runs, listVpsAliases, jobs, log };
  const mutes = createMuteStore(db);
  const watches = createWatches({
    ...parts,
    publisher: incidentPublisher,
    directory,
    mutes: mutes.list,
    reportCallsPerMinute: createReportCallCounter(db),
  });
  const reports = createReports({
    ...parts,
    hasReplicas,
    publisher: reportPublisher,
    mutes,
    otherCallsPerMinute: watches.callsPerMinute,
    listAlerts: watches.listAlerts,
  });
  const muteOperations = createMuteOperations({ store: mutes, now: clock.now });
  return {
    catalogueGroups: [
      { heading: 'Reports', operations: reports.operations },
      { heading: 'Watches', operations: [...watches.operations, ...muteOperations] },
    ],
    /** Sends the notices that an earlier process left unsent. */
    start() {
      reports.start();
      watches.start();
    },
    stop() {
      reports.stop();
      watches.stop();
    },
  };
}
