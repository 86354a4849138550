import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { Read } from '../operations/operation.ts';
import type { Outcome } from '../operations/outcome.ts';
import { periodMsOf, reportContent } from './content.ts';
import { makeReport } from './make-report.ts';
import type { ReportMemory } from './memory-store.ts';
import type { Pauses } from './pauses.ts';
import { type Clock, waitUntil } from './schedule/clock.ts';
import { describeMoment, describeRecurrence } from './schedule/describe-recurrence.ts';
import type { Report } from './schedule/report.ts';
import type { Begin, Due } from './schedule/turn.ts';
import type { FleetSummary } from './summary/fleet-summary.ts';
import type { ReportVoice, ReportWords } from './voice.ts';

interface DeliveryParts {
  readonly memory: ReportMemory;
  readonly pauses: Pick<Pauses, 'pause'>;
  readonly voice: ReportVoice;
  readonly readFor: (teamId: string) => Read;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** How often Slack may ask for a pause before one and the same report. */
const mostPauses = 10;

/** From so long after its time on a report says that it is late. */
const lateMs = 2 * 60_000;

/** Creates what makes a report when it is near its time, and posts it when it is due. */
export function createDelivery(parts: DeliveryParts): Begin {
  const { memory, pauses, voice, readFor, clock, log } = parts;

  async function make(report: Report, { dueMs: untilMs, signal }: Due) {
    const { id, teamId, name, recurrence } = report;
    return makeReport({
      name,
      content: reportContent.parse(report.content),
      period: { fromMs: untilMs - periodMsOf(recurrence), untilMs },
      timeZone: recurrence.zone,
      read: readFor(teamId),
      last: await memory.find(id),
      signal,
    });
  }

  /** Posts as soon as Slack lets it; gives nothing where it must not any more. */
  async function post(report: Report, words: ReportWords, due: Due) {
    for (let left = mostPauses; left > 0; left -= 1) {
      if (!(await due.markPosting())) return undefined;
      const spoken = await voice.post(report, words);
      if (spoken === 'gone' || 'ts' in spoken) return spoken;
      await waitUntil(clock, clock.now() + spoken.againInMs, due.signal);
    }
    throw new Error('Slack takes no report');
  }

  async function followUp(report: Report, ts: string, { details, csv }: FleetSummary): Promise<void> {
    try {
      await voice.follow(report, ts, details, csv);
    } catch (error) {
      log.warn({ err: error, reportId: report.id }, 'the thread of a report could not be written');
    }
  }

  return async (report, due) => {
    const { id, teamId } = report;
    const made = await make(report, due).catch(async (error: unknown) => {
      if (!isKeyLost(error)) throw error;
      await pauses.pause(id, { reason: 'key', byUserId: null }, clock.now());
      return undefined;
    });
    if (!made) return;
    const { summary, isWorthPosting } = made;
    const isSilent = !isWorthPosting && due.skippedSinceMs === null;
    const { chart } = summary;
    const pictureId = chart && !isSilent ? await voice.upload(teamId, chart) : undefined;
    await due.untilDue();
    if (!isSilent) {
      const outcome = wordsOf(report, summary, notesOf(report, due, clock.now()));
      const posted = await post(report, { outcome, pictureId }, due);
      if (posted === undefined) return;
      if (posted === 'gone') {
        await pauses.pause(id, { reason: 'channel', byUserId: null }, clock.now());
        return;
      }
      await followUp(report, posted.ts, summary);
    }
    await memory.keep(id, summary.reported);
  };
}

function wordsOf(
  report: Report,
  { title, facts, table, notes, chart, next }: FleetSummary,
  more: readonly string[],
): Outcome {
  const about = `${report.name}: ${describeRecurrence(report.recurrence)}`;
  return { title, facts, table, notes: [...more, ...notes, about], ...(chart && { chart }), next };
}

/** Says what of its times went otherwise than planned. */
function notesOf({ recurrence: { zone } }: Report, due: Due, nowMs: number): readonly string[] {
  const { dueMs, mayBePosted, skippedSinceMs } = due;
  return [
    ...(mayBePosted
      ? ['This may be a repeat: Rackhand was interrupted while it posted this report before.']
      : []),
    ...(nowMs - dueMs >= lateMs ? [`This is late: it was due on ${describeMoment(dueMs, zone)}.`] : []),
    ...(skippedSinceMs === null
      ? []
      : [
          `No report came for the time of ${describeMoment(skippedSinceMs, zone)} and what followed until now: Rackhand was not running, or failed.`,
        ]),
  ];
}

function isKeyLost(error: unknown): boolean {
  return error instanceof RackhandError && (error.code === 'key_missing' || error.code === 'key_rejected');
}
