import type { Logger } from 'pino';
import type { FindCreatorStanding } from '../../../auth/creator-standing.ts';
import { RackhandError } from '../../../errors.ts';
import { type Clock, waitFor } from '../../../jobs/clock.ts';
import type { Read } from '../../../operations/define/read.ts';
import type { ListVpsAliases } from '../../../runs/pipeline/run-environment.ts';
import type { ListAlerts } from '../../shared/alerts/alert.ts';
import type { FindResult, PostResult } from '../../shared/channel-publisher.ts';
import { isApiKeyInvalid } from '../../shared/fleet-reads.ts';
import type { HourlyHistoryStore } from '../../shared/history/hourly-history-store.ts';
import type { Pauses } from '../../shared/pauses/pauses.ts';
import type { LoadSilence } from '../../shared/silences/silence.ts';
import { reportContent, reportPeriodMs } from '../planning/report-content.ts';
import type { Report } from '../report.ts';
import type { OccurrenceContext, OccurrenceHandler } from '../schedule/execute-occurrence.ts';
import type { BaselineStore } from '../summary/baseline-store.ts';
import type { ReportSummary } from '../summary/report-summary.ts';
import { type BuiltReport, buildReport } from './build-report.ts';
import {
  deliveryNotes,
  formatDelayedReport,
  formatFailedReport,
  formatReport,
  missingChartNote,
} from './format-delivery.ts';
import type { PublishedPost, ReportPost, ReportPostKey, ReportPublisher } from './report-publisher.ts';

interface ReportDeliveryDependencies {
  readonly baselines: BaselineStore;
  /**
   * Limits delay notices to one per occurrence. `claim` resolves to whether the notice still has to
   * be sent.
   */
  readonly delayNotices: {
    claim(reportId: string, dueMs: number): Promise<boolean>;
    release(reportId: string, dueMs: number): Promise<void>;
  };
  readonly findCreatorStanding: FindCreatorStanding;
  /** Pauses a report that can't be posted. */
  readonly pause: Pauses<Report>['pause'];
  readonly publisher: ReportPublisher;
  readonly readFor: (report: Report) => Read;
  readonly listVpsAliases: ListVpsAliases;
  readonly hours: Pick<HourlyHistoryStore, 'forTeam'>;
  readonly listAlerts: ListAlerts;
  readonly loadSilence: LoadSilence;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** `notPosted` means that the report must not be posted anymore, or was paused. */
type WhenDueResult =
  | Extract<PostResult, { readonly kind: 'posted' | 'rejected' }>
  | { readonly kind: 'notPosted' };

/** How many times one post waits for a rate limit. */
const maxRateLimitWaits = 10;

/**
 * After this delay, the report's creator is notified, unless the channel will be notified soon
 * anyway. Attempts are up to ten minutes apart, so the notice is sent after about 15 minutes.
 */
const delayNoticeAfterMs = 10 * 60_000;

/** Creates a handler that collects a report before its due time and posts it at that time. */
export function createReportDelivery(dependencies: ReportDeliveryDependencies): OccurrenceHandler {
  const { baselines, delayNotices, findCreatorStanding, pause, publisher, readFor, listVpsAliases } =
    dependencies;
  const { hours, listAlerts, loadSilence, clock, log } = dependencies;

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
      hours: hours.forTeam(teamId),
      silence: await loadSilence(teamId, untilMs),
      last: await baselines.find(id),
      onSelected: (names) => requireCreator(report, names),
      signal,
    });
  }

  /** Throws `not_permitted` if the creator can't view the VPS anymore. */
  async function requireCreator({ teamId, createdBy }: Report, vps: readonly string[]): Promise<void> {
    const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
    if (standing === 'unknown')
      throw new RackhandError('member_unknown', "Slack didn't say whether its creator can view the VPS.");
    if (standing !== 'allowed')
      throw new RackhandError('not_permitted', 'Its creator can no longer view all of its VPS.');
  }

  /** Searches for the post of an interrupted attempt, in case it arrived. */
  async function findInterruptedPost(report: Report, due: OccurrenceContext): Promise<FindResult> {
    if (due.postingMs === null) return { kind: 'notFound' };
    try {
      return await publisher.findPost(report, postKeyOf(report, due), due.postingMs);
    } catch (error) {
      if (due.signal.aborted || due.willRetry()) throw error;
      log.warn({ err: error, reportId: report.id }, "can't check whether a report was posted");
      return { kind: 'unreadable' };
    }
  }

  /**
   * Posts the report when it is due, and waits for rate limits. Returns undefined if the report
   * must not be posted anymore, or was paused.
   */
  async function post(
    report: Report,
    reportPost: ReportPost,
    due: OccurrenceContext,
  ): Promise<string | undefined> {
    const result = await postWhenDue(report, reportPost, due);
    if (result.kind !== 'rejected') return result.kind === 'posted' ? result.ts : undefined;
    log.warn({ rejectedAs: result.error, reportId: report.id }, 'Slack rejected a report');
    // A retry would fail in the same way, so a short plain text is posted instead.
    const why = new RackhandError('internal', `Slack rejected the message: ${result.error}.`);
    const outcome = formatFailedReport(report, why, []);
    const plain = await postWhenDue(report, { outcome, key: reportPost.key }, due);
    if (plain.kind === 'rejected') await pause([report], 'channel');
    return plain.kind === 'posted' ? plain.ts : undefined;
  }

  async function postWhenDue(
    report: Report,
    reportPost: ReportPost,
    due: OccurrenceContext,
  ): Promise<WhenDueResult> {
    await due.untilDue();
    for (let left = maxRateLimitWaits; left > 0; left -= 1) {
      if (!(await due.markPosting())) return { kind: 'notPosted' };
      const result = await publisher.post(report, reportPost);
      if (result.kind === 'channelGone') {
        await pause([report], 'channel');
        return { kind: 'notPosted' };
      }
      if (result.kind !== 'rateLimited') return result;
      await waitFor(clock, result.retryInMs, due.signal);
    }
    throw new Error('Slack rejected a report');
  }

  /** Notifies the creator that a report has been failing for some time, once per occurrence. */
  async function notifyDelay(
    report: Report,
    { dueMs, untilMs }: OccurrenceContext,
    error: unknown,
  ): Promise<void> {
    const nowMs = clock.now();
    const isSoon = untilMs - nowMs < delayNoticeAfterMs;
    if (nowMs < dueMs + delayNoticeAfterMs || isSoon || !(await delayNotices.claim(report.id, dueMs))) return;
    const { teamId, createdBy: userId } = report;
    try {
      await publisher.sendDirectMessage(
        { teamId, userId },
        formatDelayedReport(report, error, { dueMs, untilMs }),
      );
    } catch (failure) {
      log.warn({ err: failure, reportId: report.id }, 'the notice about a delayed report could not be sent');
      await delayNotices.release(report.id, dueMs);
    }
  }

  async function replyWithDetails(
    report: Report,
    post: PublishedPost,
    { details, csv }: ReportSummary,
  ): Promise<void> {
    try {
      await publisher.replyInThread(report, post, details, csv);
    } catch (error) {
      log.warn({ err: error, reportId: report.id }, "can't reply in the thread of a report");
    }
  }

  /**
   * Builds the report. Returns undefined if that failed and the readers have been, or will be,
   * notified.
   */
  async function buildOrPostFailure(
    report: Report,
    due: OccurrenceContext,
    findResult: FindResult,
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
      if (findResult.kind === 'found') return undefined;
      const outcome = formatFailedReport(report, error, deliveryNotes(report, due, findResult, clock.now()));
      await post(report, { outcome, key: postKeyOf(report, due) }, due);
      return undefined;
    }
  }

  return async (report, due) => {
    const { id, teamId } = report;
    const key = postKeyOf(report, due);
    const found = await findInterruptedPost(report, due);
    if (found.kind === 'notFound' && due.isTooLate()) return 'passedOver';
    const made = await buildOrPostFailure(report, due, found);
    if (!made) return;
    const { summary, isWorthPosting } = made;
    const { chart } = summary;
    if (found.kind === 'found')
      await replyWithDetails(report, { ts: found.ts, key, mayHaveReplies: true }, summary);
    else if (isWorthPosting || due.skippedSinceMs !== null) {
      const imageFileId = chart && (await publisher.uploadChart(teamId, chart));
      await due.untilDue();
      const isChartMissing = chart !== undefined && imageFileId === undefined;
      const outcome = formatReport(report, summary, [
        ...deliveryNotes(report, due, found, clock.now()),
        ...(isChartMissing ? [missingChartNote] : []),
      ]);
      const ts = await post(report, { outcome, imageFileId, key }, due);
      if (ts === undefined) return;
      await replyWithDetails(report, { ts, key, mayHaveReplies: false }, summary);
    } else await due.untilDue();
    await baselines.save(id, summary.baseline);
  };
}

function postKeyOf({ id: reportId }: Report, { dueMs }: OccurrenceContext): ReportPostKey {
  return { reportId, dueMs };
}
