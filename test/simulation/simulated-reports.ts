import type { Database } from '../../src/db/engines/database.ts';
import type { HostingClient } from '../../src/hosting/client/hosting-client.ts';
import { getVps } from '../../src/hosting/endpoints/vps.ts';
import type { Outbox } from '../../src/messages/outbox.ts';
import { createReportStore } from '../../src/monitoring/reports/report.ts';
import { createReportJob, type OccurrenceHandler } from '../../src/monitoring/reports/report-job.ts';
import { vpsNames } from './outside/hosting-service.ts';
import type { World } from './world.ts';

/** When the second occurrence is due, after the trouble. */
export const secondReportMs = 17 * 60_000;

/**
 * How late a report can be when nothing is wrong. With a quota of 6, the nine reads of three reports use four
 * slots at a time, so that the last one waits for two windows.
 */
export const maxReportLateMs = 120_000;

/** Adds the reports of the scenario. Each is due at minute 2 and at minute 17. */
export async function addReports({ shared, scenario, time }: World): Promise<void> {
  const reports = createReportStore(shared.db);
  for (let index = 0; index < scenario.reportCount; index += 1) {
    const timing = { kind: 'cron', expression: '2,17,32,47 * * * *', zone: 'UTC', quiet: [] } as const;
    const plan = { name: `report ${index}`, channel: 'C1', timing, content: {} };
    await reports.add({ teamId: 'T1', userId: 'U1' }, plan, time.wallNow());
  }
}

interface ReportProcess {
  readonly db: Database;
  readonly client: HostingClient;
  readonly outbox: Outbox;
  readonly log: never;
}

/** The key of an occurrence's message. */
export const toReportKey = (reportId: string, dueMs: number) => `report:${reportId}:${dueMs}`;

/** Creates the real report job of a process, which posts by the outbox. Only collecting is simulated. */
export function createSimulatedReportJob({ db, client, outbox, log }: ReportProcess) {
  const handler: OccurrenceHandler = async ({ id, teamId, channel }, { dueMs, untilMs, finish }) => {
    for (const vps of vpsNames.slice(0, 3)) {
      const options = { lane: 'background', caller: id, notAfterMs: untilMs } as const;
      // A report says what it could not read.
      await client.call(getVps, { params: { vps_name: vps } }, options).catch(() => undefined);
    }
    const state = { kind: 'report', content: {}, about: 'a report' };
    await finish((transaction) =>
      outbox.put(toReportKey(id, dueMs), { teamId, channel }, state, transaction),
    );
  };
  return createReportJob({
    store: createReportStore(db),
    pause: async () => [],
    leadTimeFor: () => 20_000,
    transact: outbox.transact,
    handler,
    log,
  });
}
