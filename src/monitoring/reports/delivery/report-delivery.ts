import type { Logger } from 'pino';
import type { FindCreatorStanding } from '../../../auth/creator-standing.ts';
import { RackhandError } from '../../../errors.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome } from '../../../messages/post-outcome.ts';
import type { Read } from '../../../operations/define/read.ts';
import type { ListVpsAliases } from '../../../runs/pipeline/run-environment.ts';
import type { ListAlerts } from '../../shared/alert-digest.ts';
import type { UploadChart } from '../../shared/channel-publisher.ts';
import { isApiKeyInvalid } from '../../shared/fleet-reads.ts';
import type { Pauses } from '../../shared/pauses/pauses.ts';
import type { LoadSilence } from '../../shared/silence.ts';
import { reportContent, reportPeriodMs } from '../planning/report-plan.ts';
import type { Report } from '../report.ts';
import type { OccurrenceContext, OccurrenceHandler } from '../report-job.ts';
import type { BaselineStore } from '../summary/baseline.ts';
import { type BuiltReport, buildReport } from './build-report.ts';
import {
  formatDelayedReport,
  formatFailedReport,
  formatReport,
  missedNotes,
  missingChartNote,
} from './format-delivery.ts';
import { putReport } from './report-messages.ts';

interface ReportDeliveryDependencies {
  readonly baselines: BaselineStore;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly pause: Pauses<Report>['pause'];
  readonly outbox: Pick<Outbox, 'put' | 'find'>;
  readonly uploadChart: UploadChart;
  readonly readFor: (report: Report) => Read;
  readonly listVpsAliases: ListVpsAliases;
  readonly listAlerts: ListAlerts;
  readonly loadSilence: LoadSilence;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * How late a report must be before its creator is notified. The notice is left out if the retries end within this time,
 * because the channel is notified then. Retries are up to ten minutes apart, so the notice comes after about 15
 * minutes.
 */
const delayNoticeAfterMs = 10 * 60_000;

/** Creates the handler that builds a report before its due time and posts it when due. */
export function createReportDelivery(dependencies: ReportDeliveryDependencies): OccurrenceHandler {
  const { baselines, findCreatorStanding, pause, outbox, uploadChart, readFor, listVpsAliases } =
    dependencies;
  const { listAlerts, loadSilence, clock, log } = dependencies;
  const postOutcome = createPostOutcome(outbox);

  async function build(report: Report, { dueMs: untilMs, signal }: OccurrenceContext) {
    const { id, teamId, name, timing } = report;
    const period = { fromMs: untilMs - reportPeriodMs(timing), untilMs };
    return buildReport({
      name,
      content: reportContent.parse(report.content),
      period,
      alerts: await listAlerts(teamId, period),
      timeZone: timing.zone,
      read: readFor(report),
      ownAliases: await listVpsAliases(teamId),
      silence: await loadSilence(teamId, untilMs),
      last: await baselines.find(id),
      onSelected: (names) => requireCreator(report, names),
      signal,
    });
  }

  /** Throws `not_permitted` if the creator can no longer view the VPS, or `member_unknown` if Slack can't tell. */
  async function requireCreator({ teamId, createdBy }: Report, vps: readonly string[]): Promise<void> {
    const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
    if (standing === 'unknown')
      throw new RackhandError(
        'member_unknown',
        "Slack didn't say whether the report's creator can view its VPS.",
      );
    if (standing !== 'allowed')
      throw new RackhandError('not_permitted', "The report's creator can no longer view all of its VPS.");
  }

  /** Notifies the creator, once per occurrence, that a report keeps failing. */
  async function notifyDelay(
    report: Report,
    { dueMs, untilMs }: OccurrenceContext,
    error: unknown,
  ): Promise<void> {
    const { id, teamId, createdBy: channel } = report;
    const nowMs = clock.now();
    const isSoon = untilMs - nowMs < delayNoticeAfterMs;
    const key = `report-delay:${id}:${dueMs}`;
    if (nowMs < dueMs + delayNoticeAfterMs || isSoon || (await outbox.find(teamId, key))) return;
    await postOutcome(key, { teamId, channel }, formatDelayedReport(report, error, { dueMs, untilMs }));
  }

  /** Builds the report. Returns undefined if building it failed for good; people have then been notified. */
  async function buildOrPostFailure(
    report: Report,
    due: OccurrenceContext,
  ): Promise<BuiltReport | undefined> {
    try {
      return await build(report, due);
    } catch (error) {
      if (due.signal.aborted) throw error;
      if (isApiKeyInvalid(error)) {
        await pause([report], 'key');
        return undefined;
      }
      if (error instanceof RackhandError && error.code === 'not_permitted') {
        await pause([report], 'creator');
        return undefined;
      }
      if (due.willRetry()) {
        await notifyDelay(report, due, error);
        throw error;
      }
      log.warn({ err: error, reportId: report.id }, 'a report failed for good');
      const outcome = formatFailedReport(report, error, missedNotes(report, due));
      await due.finish((transaction) => putReport(outbox, report, due.dueMs, { outcome }, transaction));
      return undefined;
    }
  }

  return async (report, due) => {
    const { id, teamId } = report;
    const made = await buildOrPostFailure(report, due);
    if (!made) return;
    const { summary, isWorthPosting } = made;
    const isPosted = isWorthPosting || due.skippedSinceMs !== null;
    const chart = isPosted ? summary.chart : undefined;
    const imageFileId = chart && (await uploadChart(teamId, chart));
    const isChartMissing = chart !== undefined && imageFileId === undefined;
    const notes = [...missedNotes(report, due), ...(isChartMissing ? [missingChartNote] : [])];
    await due.finish(async (transaction) => {
      if (isPosted) {
        const outcome = formatReport(report, summary, notes);
        const message = { outcome, imageFileId, thread: summary };
        await putReport(outbox, report, due.dueMs, message, transaction);
      }
      await baselines.save(id, summary.baseline, transaction);
    });
  };
}
