import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { FormPreview } from '../../../operations/define/operation.ts';
import { parseSchedule } from '../planning/parse-report-plan.ts';
import { formatNextTimes, formatRecurrence } from '../schedule/format-recurrence.ts';

/**
 * Formats the schedule in a form with its next three times, or the reason why it isn't valid yet.
 */
export function previewSchedule(given: RawInput, timeZone: string, nowMs: number): FormPreview {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const every = text('every') ?? 'daily';
  const fields = { at: text('at'), days: text('days'), day: text('day'), cron: text('cron') };
  const read = parseSchedule({ every, ...fields, zone: text('zone'), quiet: text('quiet') }, timeZone, nowMs);
  const heading = 'Schedule';
  if (read.kind === 'invalid')
    return { heading, lines: [...new Set(read.problems.map(({ message }) => `${message}.`))] };
  const { recurrence } = read;
  return {
    heading,
    lines: [
      `${formatRecurrence(recurrence)}.`,
      ...formatNextTimes(recurrence, nowMs).map((moment) => `•  ${moment}`),
    ],
  };
}
