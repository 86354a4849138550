import type { Logger } from 'pino';
import type { FindCreatorStanding } from '../../auth/creator-standing.ts';
import type { Database } from '../../db/engines/database.ts';
import type { RowReader } from '../../db/row-reader.ts';
import type { HostingClient } from '../../hosting/client/hosting-client.ts';
import type { JobQueue } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Outbox } from '../../messages/outbox.ts';
import { createPostOutcome } from '../../messages/post-outcome.ts';
import { createStoredEntitySource } from '../../operations/choices/sources/stored-entities.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Read } from '../../operations/define/read.ts';
import { listNamesWithNewer } from '../../plans/newer-plans.ts';
import type { PlanJobPayload } from '../../plans/plan-job.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { formatWhen } from '../../time/format-when.ts';
import type { ListAlerts } from '../shared/alert-digest.ts';
import type { ChannelPublisher, UploadChart } from '../shared/channel-publisher.ts';
import { createPauseOnGivenUp, createPauses } from '../shared/pauses/pauses.ts';
import type { LoadSilence } from '../shared/silence.ts';
import { remainingThroughput } from '../shared/throughput.ts';
import { countReportCalls, leadTimeMs, maxLeadTimeMs, type OccurrenceCost } from './capacity.ts';
import { createReportDelivery } from './delivery/report-delivery.ts';
import { reportKinds, sendCsv } from './delivery/report-messages.ts';
import { createAddReportOperation } from './operations/add-report.ts';
import { createReportVerbs } from './operations/report-verbs.ts';
import { createRunReportOperation } from './operations/run-report.ts';
import { reportContent } from './planning/report-plan.ts';
import { createReportStore, type Report, type ReportStore } from './report.ts';
import { createReportJob } from './report-job.ts';
import { createBaselineStore } from './summary/baseline.ts';

interface ReportsDependencies {
  readonly db: Database;
  /** Returns a workspace's hosting client. Calls throw `key_missing` if there is no API key. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly uploadChart: UploadChart;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'find' | 'onGivenUp'>;
  /** Lists the people to notify if a report's creator can't be notified. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly listAlerts: ListAlerts;
  readonly loadSilence: LoadSilence;
  /** Returns the calls per minute of other work in the same lane, such as watches. Defaults to none. */
  readonly otherCallsPerMinute?: (teamId: string) => Promise<number>;
  readonly listVpsAliases: ListVpsAliases;
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  /** Dead-letters unreadable reports. */
  readonly rowReader?: RowReader;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export interface Reports {
  readonly operations: readonly Operation[];
  readonly planOperations: readonly Operation[];
}

export function createReports({
  db,
  hostingFor,
  runs,
  publisher,
  uploadChart,
  outbox,
  findCreatorStanding,
  listAdmins,
  listAlerts,
  loadSilence,
  listVpsAliases,
  jobs,
  log,
  otherCallsPerMinute = async () => 0,
  rowReader,
}: ReportsDependencies): Reports {
  const { clock } = jobs;
  const { now } = clock;
  const store = createReportStore(db, {
    rowReader,
    queue: {
      schedule: ({ id, teamId }, transaction) => queue.schedule({ id, teamId, payload: {} }, transaction),
      wake: () => queue.wake(),
    },
  });
  const baselines = createBaselineStore(db);
  const pauses = createPauses<Report>({
    kind: 'report',
    store,
    postOutcome: createPostOutcome(outbox),
    transact: outbox.transact,
    runs,
    listAdmins,
    clock,
  });
  const { pause } = pauses;
  outbox.onGivenUp(reportKinds.report, createPauseOnGivenUp(pauses, store.get));

  const readFor =
    ({ id, teamId }: Report): Read =>
    (endpoint, input, options) =>
      hostingFor(teamId).call(endpoint, input, { lane: 'background', caller: id, ...options });

  async function estimateCost(report: Report, dueMs: number): Promise<OccurrenceCost> {
    const { vpsCount, listCalls } = reportContent.parse(report.content);
    const last = await baselines.find(report.id);
    const counts = { vpsCount: last ? Object.keys(last.vps).length : vpsCount, listCalls };
    return { dueMs, calls: countReportCalls(report, counts) };
  }

  /** Returns the lead time in ms. It covers this report's calls, those of other reports, and those already queued. */
  async function leadTimeFor(report: Report, dueMs: number): Promise<number> {
    const others = (await store.list(report.teamId)).flatMap((other) => {
      const nextMs = other.state.kind === 'active' ? other.nextMs : null;
      const isNear = nextMs !== null && Math.abs(nextMs - dueMs) < maxLeadTimeMs;
      return isNear && other.id !== report.id ? estimateCost(other, nextMs) : [];
    });
    const usage = await hostingFor(report.teamId).usage();
    const own = await estimateCost(report, dueMs);
    const throughput = remainingThroughput(usage, await otherCallsPerMinute(report.teamId));
    return usage.wait.background.waitMs + leadTimeMs(own, await Promise.all(others), throughput);
  }

  const job = createReportJob({
    store,
    pause,
    leadTimeFor,
    transact: outbox.transact,
    handler: createReportDelivery({
      baselines,
      findCreatorStanding,
      pause,
      outbox,
      uploadChart,
      readFor,
      listVpsAliases,
      listAlerts,
      loadSilence,
      clock,
      log,
    }),
    log,
  });
  const queue: JobQueue<PlanJobPayload> = jobs.define(job);
  const reports = createReportChoiceSource(store);
  const commonDependencies = { store, reports, now };

  return {
    operations: [
      createRunReportOperation({
        store,
        reports,
        sendFile: ({ teamId, userId }, csv) => sendCsv(outbox, { teamId, channel: userId }, csv),
        listAlerts,
        loadSilence,
        now,
      }),
      createAddReportOperation({ ...commonDependencies, publisher }),
    ],
    planOperations: createReportVerbs({ ...commonDependencies, publisher }),
  };
}

function createReportChoiceSource(
  store: Pick<ReportStore, 'list' | 'listNames' | 'listNewer'>,
): ChoiceSource {
  return createStoredEntitySource({
    name: 'reports',
    noun: 'a report',
    list: store.list,
    listNames: listNamesWithNewer(store),
    formatHint: ({ timing, state }) =>
      state.kind === 'paused' ? 'paused' : formatWhen({ ...timing, quiet: [] }),
  });
}
