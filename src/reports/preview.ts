import type { FormPreview } from '../operations/operation.ts';
import type { RawInput } from '../operations/outcome.ts';
import { readSchedule } from './read-plan.ts';
import { describeNext, describeRecurrence } from './schedule/describe-recurrence.ts';

/** Tells what the schedule in a form comes to: in words, and its next three times; or in a sentence why it is none yet. */
export function previewSchedule(given: RawInput, timeZone: string, nowMs: number): FormPreview {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const every = text('every') ?? 'daily';
  const fields = { at: text('at'), days: text('days'), day: text('day'), cron: text('cron') };
  const read = readSchedule({ every, ...fields, zone: text('zone'), quiet: text('quiet') }, timeZone, nowMs);
  const heading = 'When it comes';
  if (!read.ok) return { heading, lines: [...new Set(read.problems.map(({ message }) => `${message}.`))] };
  const { recurrence } = read;
  return {
    heading,
    lines: [
      `${describeRecurrence(recurrence)}.`,
      ...describeNext(recurrence, nowMs).map((moment) => `•  ${moment}`),
    ],
  };
}
