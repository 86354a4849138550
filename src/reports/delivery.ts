import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { Read } from '../operations/operation.ts';
import { periodMsOf, reportContent } from './content.ts';
import { describeUnmade, describeUnmadeSoFar, notesOf, wordsOf } from './delivery-words.ts';
import type { HoursStore } from './history/hours-store.ts';
import { type Made, makeReport } from './make-report.ts';
import type { ReportMemory } from './memory-store.ts';
import type { MuteStore } from './mutes/mute-store.ts';
import { type Clock, waitUntil } from './schedule/clock.ts';
import type { PauseReason, Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { Begin, Due } from './schedule/turn.ts';
import type { ReportSummary } from './summary/report-summary.ts';
import type { Posted, PostMark, ReportVoice, ReportWords, Sought } from './voice.ts';

interface DeliveryParts {
  readonly memory: ReportMemory;
  /** Of each time, one telling that it cannot be made so far: `claim` answers whether it is still to be told. */
  readonly unmade: {
    claim(reportId: string, dueMs: number): Promise<boolean>;
    release(reportId: string, dueMs: number): Promise<void>;
  };
  /** Lets a report rest that cannot come. */
  readonly rest: ReportStore['pause'];
  readonly voice: ReportVoice;
  readonly readFor: (teamId: string) => Read;
  readonly hours: Pick<HoursStore, 'of' | 'forgetOld'>;
  readonly mutes: Pick<MuteStore, 'untilOf'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** How often Slack may ask for a pause before one and the same report. */
const mostPauses = 10;

/**
 * From so long after its time on whoever planned a report is told that it cannot be made so far, unless its channel learns that soon anyway. Attempts
 * are up to ten minutes apart, so that this is a quarter of an hour, more or less.
 */
const unmadeToldAfterMs = 10 * 60_000;

/** Creates what makes a report when it is near its time, and posts it when it is due. */
export function createDelivery(parts: DeliveryParts): Begin {
  const { memory, unmade, rest, voice, readFor, hours, mutes, clock, log } = parts;

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
    const spoken = await postAsItIs(report, words, due);
    if (typeof spoken !== 'object') return spoken;
    const { refusedAs } = spoken;
    log.warn({ refusedAs, reportId: report.id }, 'Slack does not take a report');
    // Nor would it the next time: a few plain words are better than none.
    const why = new RackhandError('internal', `Slack does not take what it says: ${refusedAs}.`);
    const outcome = describeUnmade(report, why, []);
    const plain = await postAsItIs(report, { outcome, mark: words.mark }, due);
    return typeof plain === 'object' ? restFor(report, 'channel') : plain;
  }

  async function postAsItIs(report: Report, words: ReportWords, due: Due) {
    await due.untilDue();
    for (let left = mostPauses; left > 0; left -= 1) {
      if (!(await due.markPosting())) return undefined;
      const spoken = await voice.post(report, words);
      if (spoken === 'gone') return restFor(report, 'channel');
      if ('ts' in spoken) return spoken.ts;
      if ('refusedAs' in spoken) return spoken;
      await waitUntil(clock, clock.now() + spoken.againInMs, due.signal);
    }
    throw new Error('Slack takes no report');
  }

  async function restFor({ id }: Report, reason: PauseReason): Promise<undefined> {
    await rest(id, { reason, byUserId: null }, clock.now());
  }

  /** Tells whoever planned a report that is tried for hours or days, once for each time. */
  async function tellUnmade(report: Report, { dueMs, untilMs }: Due, error: unknown): Promise<void> {
    const nowMs = clock.now();
    const isSoon = untilMs - nowMs < unmadeToldAfterMs;
    if (nowMs < dueMs + unmadeToldAfterMs || isSoon || !(await unmade.claim(report.id, dueMs))) return;
    const { teamId, madeBy: userId } = report;
    try {
      await voice.tellPerson({ teamId, userId }, describeUnmadeSoFar(report, error, { dueMs, untilMs }));
    } catch (failure) {
      log.warn({ err: failure, reportId: report.id }, 'nobody could be told that a report is late');
      await unmade.release(report.id, dueMs);
    }
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
      if (isKeyLost(error)) return restFor(report, 'key');
      if (due.willBeTriedAgain()) {
        await tellUnmade(report, due, error);
        throw error;
      }
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
