import { RackhandError } from '../error.ts';
import type { Outcome } from '../operations/outcome.ts';
import { describeMoment, describeRecurrence } from './schedule/describe-recurrence.ts';
import type { Report } from './schedule/report.ts';
import type { Due } from './schedule/turn.ts';
import type { ReportSummary } from './summary/report-summary.ts';
import type { Sought } from './voice.ts';

/** From so long after its time on a report says that it is late. */
const lateMs = 2 * 60_000;

/** Says what a report found, and which report it is. */
export function wordsOf(
  report: Report,
  { title, facts, table, notes, chart, next }: ReportSummary,
  more: readonly string[],
): Outcome {
  return {
    title,
    facts,
    ...(table && { table }),
    notes: [...more, ...notes, aboutOf(report)],
    ...(chart && { chart }),
    next,
  };
}

/** Says that there is no report this time, and why. */
export function describeUnmade(report: Report, error: unknown, more: readonly string[]): Outcome {
  const { name } = report;
  const why =
    error instanceof RackhandError
      ? error.message
      : 'Something failed inside Rackhand, which its log tells of.';
  return {
    title: `The report "${name}" could not be made`,
    notes: [why, ...more, aboutOf(report)],
    next: [
      { label: 'Run Now', operation: 'report run', input: { name } },
      { label: 'Reports', operation: 'report list', input: {} },
    ],
  };
}

/** Says what of its times went otherwise than planned. */
export function notesOf(
  { recurrence: { zone } }: Report,
  { dueMs, skippedSinceMs }: Due,
  sought: Sought,
  nowMs: number,
): readonly string[] {
  return [
    ...(sought === 'unreadable'
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

function aboutOf({ name, recurrence }: Report): string {
  return `${name}: ${describeRecurrence(recurrence)}`;
}
