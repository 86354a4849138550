import { RackhandError } from '../../../errors.ts';
import type { NextStep, Outcome } from '../../../operations/define/outcome.ts';
import { formatMoment, formatWhen } from '../../../time/format-when.ts';
import type { Report } from '../report.ts';
import type { OccurrenceContext } from '../report-job.ts';
import { findingLines, type ReportSummary } from '../summary/fleet/fleet-summary.ts';

/** How late a report must be before a note mentions the delay. */
const lateMs = 2 * 60_000;

export function formatReport(report: Report, summary: ReportSummary, extraNotes: readonly string[]): Outcome {
  const { title, facts, table, notes, chart, next } = summary;
  return {
    title,
    facts,
    actionLines: findingLines(summary),
    ...(table && { table }),
    notes: [...extraNotes, ...notes, reportLabel(report)],
    ...(chart && { chart }),
    next,
  };
}

/** Formats the notice posted instead of a report that failed. */
export function formatFailedReport(report: Report, error: unknown, extraNotes: readonly string[]): Outcome {
  return {
    title: `Report "${report.name}" failed`,
    notes: [failureReason(error), ...extraNotes, reportLabel(report)],
    next: [runNowStep(report), { label: 'Reports', operation: 'report list', input: {} }],
  };
}

/** Formats the notice that a report is delayed, with the reason and how long Rackhand will keep trying. */
export function formatDelayedReport(
  report: Report,
  error: unknown,
  { dueMs, untilMs }: Pick<OccurrenceContext, 'dueMs' | 'untilMs'>,
): Outcome {
  const { name, channel, timing } = report;
  const until = Number.isFinite(untilMs) ? ` until ${formatMoment(untilMs, timing.zone)}` : '';
  return {
    title: `Report "${name}" is delayed`,
    facts: [
      { label: 'Due', value: { kind: 'time', timeMs: dueMs } },
      { label: 'Channel', value: { kind: 'channel', channel } },
    ],
    notes: [failureReason(error), `I'll keep trying${until} and post the report as soon as I can.`],
    next: [runNowStep(report), { label: 'Show', operation: 'report show', input: { name } }],
  };
}

function failureReason(error: unknown): string {
  return error instanceof RackhandError ? error.message : 'Rackhand itself failed. Its log has the details.';
}

function runNowStep({ name }: Report): NextStep {
  return { label: 'Run Now', operation: 'report run', input: { name } };
}

export const missingChartNote =
  "The graph is missing: it couldn't be drawn or uploaded to Slack. Uploads need the scopes files:write and files:read.";

export function lateNotes(dueMs: number, zone: string, nowMs: number): readonly string[] {
  return nowMs - dueMs >= lateMs ? [`This report is late. It was due on ${formatMoment(dueMs, zone)}.`] : [];
}

/** Returns a note if earlier reports were missed. */
export function missedNotes(
  { timing: { zone } }: Report,
  { skippedSinceMs }: Pick<OccurrenceContext, 'skippedSinceMs'>,
): readonly string[] {
  return skippedSinceMs === null
    ? []
    : [
        `No reports were posted from ${formatMoment(skippedSinceMs, zone)} until now: Rackhand was down or failed.`,
      ];
}

function reportLabel({ name, timing }: Report): string {
  return `${name}: ${formatWhen(timing)}`;
}
