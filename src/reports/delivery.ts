import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { Read } from '../operations/operation.ts';
import { periodMsOf, reportContent } from './content.ts';
import { describeUnmade, notesOf, wordsOf } from './delivery-words.ts';
import type { HoursStore } from './history/hours-store.ts';
import { type Made, makeReport } from './make-report.ts';
import type { ReportMemory } from './memory-store.ts';
import type { MuteStore } from './mutes/mute-store.ts';
import type { Pauses } from './pauses.ts';
import { type Clock, waitUntil } from './schedule/clock.ts';
import type { Report } from './schedule/report.ts';
import type { Begin, Due } from './schedule/turn.ts';
import type { ReportSummary } from './summary/report-summary.ts';
import type { Posted, PostMark, ReportVoice, ReportWords, Sought } from './voice.ts';

interface DeliveryParts {
  readonly memory: ReportMemory;
  readonly pauses: Pick<Pauses, 'pause'>;
  readonly voice: ReportVoice;
  readonly readFor: (teamId: string) => Read;
  readonly hours: Pick<HoursStore, 'of' | 'forgetOld'>;
  readonly mutes: Pick<MuteStore, 'untilOf'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** How often Slack may ask for a pause before one and the same report. */
const mostPauses = 10;

/** Creates what makes a report when it is near its time, and posts it when it is due. */
export function createDelivery(parts: DeliveryParts): Begin {
  const { memory, pauses, voice, readFor, hours, mutes, clock, log } = parts;

  async function make(report: Report, { dueMs: untilMs, signal }: Due) {
    const { id, teamId, name, recurrence } = report;
    return makeReport({
      name,
      content: reportContent.parse(report.content),
      period: { fromMs: untilMs - periodMsOf(recurrence), untilMs },
      timeZone: recurrence.zone,
      read: readFor(teamId),
      hours: hours.of(teamId),
      muted: await mutes.untilOf(teamId, untilMs),
      last: await memory.find(id),
      signal,
    });
  }

  /** Looks whether an attempt that was interrupted has posted it. */
  async function seek(report: Report, due: Due): Promise<Sought> {
    if (due.postingMs === null) return 'none';
    try {
      return await voice.find(report, markOf(report, due), due.postingMs);
    } catch (error) {
      if (due.signal.aborted || due.willBeTriedAgain()) throw error;
      log.warn({ err: error, reportId: report.id }, 'it could not be looked whether a report was posted');
      return 'unreadable';
    }
  }

  /** Posts as soon as it is due and Slack lets it; gives nothing where it must not any more, or the report rests from now on. */
  async function post(report: Report, words: ReportWords, due: Due): Promise<string | undefined> {
    await due.untilDue();
    for (let left = mostPauses; left > 0; left -= 1) {
      if (!(await due.markPosting())) return undefined;
      const spoken = await voice.post(report, words);
      if (spoken === 'gone') {
        await pauses.pause(report.id, { reason: 'channel', byUserId: null }, clock.now());
        return undefined;
      }
      if ('ts' in spoken) return spoken.ts;
      await waitUntil(clock, clock.now() + spoken.againInMs, due.signal);
    }
    throw new Error('Slack takes no report');
  }

  async function followUp(report: Report, post: Posted, { details, csv }: ReportSummary): Promise<void> {
    try {
      await voice.follow(report, post, details, csv);
    } catch (error) {
      log.warn({ err: error, reportId: report.id }, 'the thread of a report could not be written');
    }
  }

  /** Gives nothing where there is none, and its readers are told, or will be. */
  async function makeOrSay(report: Report, due: Due, sought: Sought): Promise<Made | undefined> {
    try {
      return await make(report, due);
    } catch (error) {
      if (due.signal.aborted) throw error;
      if (isKeyLost(error)) {
        await pauses.pause(report.id, { reason: 'key', byUserId: null }, clock.now());
        return undefined;
      }
      if (due.willBeTriedAgain()) throw error;
      log.warn({ err: error, reportId: report.id }, 'a report could not be made in time');
      if (typeof sought === 'object') return undefined;
      const outcome = describeUnmade(report, error, notesOf(report, due, sought, clock.now()));
      await post(report, { outcome, mark: markOf(report, due) }, due);
      return undefined;
    }
  }

  return async (report, due) => {
    const { id, teamId } = report;
    const mark = markOf(report, due);
    const sought = await seek(report, due);
    if (sought === 'none' && due.isTooLate()) return 'passedOver';
    const made = await makeOrSay(report, due, sought);
    if (!made) return;
    const { summary, isWorthPosting } = made;
    const { chart } = summary;
    if (typeof sought === 'object') await followUp(report, { ...sought, mark, mayBeFollowed: true }, summary);
    else if (isWorthPosting || due.skippedSinceMs !== null) {
      const pictureId = chart && (await voice.upload(teamId, chart));
      await due.untilDue();
      const outcome = wordsOf(report, summary, notesOf(report, due, sought, clock.now()));
      const ts = await post(report, { outcome, pictureId, mark }, due);
      if (ts === undefined) return;
      await followUp(report, { ts, mark, mayBeFollowed: false }, summary);
    } else await due.untilDue();
    await memory.keep(id, summary.reported);
    await hours.forgetOld(clock.now());
  };
}

function markOf({ id: reportId }: Report, { dueMs }: Due): PostMark {
  return { reportId, dueMs };
}

function isKeyLost(error: unknown): boolean {
  return error instanceof RackhandError && (error.code === 'key_missing' || error.code === 'key_rejected');
}
