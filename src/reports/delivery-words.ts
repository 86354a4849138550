import { RackhandError } from '../error.ts';
import type { NextStep, Outcome } from '../operations/outcome.ts';
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
  return {
    title: `The report "${report.name}" could not be made`,
    notes: [whyOf(error), ...more, aboutOf(report)],
    next: [runNow(report), { label: 'Reports', operation: 'report list', input: {} }],
  };
}

/** Says that there is no report yet, why, and for how long it is tried. */
export function describeUnmadeSoFar(
  report: Report,
  error: unknown,
  { dueMs, untilMs }: Pick<Due, 'dueMs' | 'untilMs'>,
): Outcome {
  const { name, channel, recurrence } = report;
  const until = Number.isFinite(untilMs) ? ` until ${describeMoment(untilMs, recurrence.zone)}` : '';
  return {
    title: `The report "${name}" could not be made so far`,
    facts: [
      { label: 'Due', value: { timeMs: dueMs } },
      { label: 'Channel', value: { channel } },
    ],
    notes: [whyOf(error), `It is tried again${until}, and comes as soon as it can be made.`],
    next: [runNow(report), { label: 'Show', operation: 'report show', input: { name } }],
  };
}

function whyOf(error: unknown): string {
  return error instanceof RackhandError
    ? error.message
    : 'Something failed inside Rackhand, which its log tells of.';
}

function runNow({ name }: Report): NextStep {
  return { label: 'Run Now', operation: 'report run', input: { name } };
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
